package io.rankfeed.schema.selection;

import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.order.OrderLimits;
import java.util.List;
import java.util.regex.Pattern;

/** Checks that every selection must pass, whether it was made or read from a file. */
final class Checks {
    private static final Pattern FEED = Pattern.compile("[a-z][a-z0-9_-]{0,30}");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    private Checks() {}

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    static void requireFeed(String name, int lanes, long rows, List<String> rowDigests) {
        require(FEED.matcher(name).matches(), "feed '" + name + "' does not match " + FEED.pattern());
        String where = "feed '" + name + "': ";
        require(
                lanes >= 1 && lanes <= OrderLimits.MAX_LANES,
                where + "lanes " + lanes + " must be 1 to " + OrderLimits.MAX_LANES);
        require(rows >= 0, where + "rows " + rows + " must not be negative");
        require(
                rowDigests.size() == RowDigests.count(rows),
                where + rowDigests.size() + " digests of " + rows + " rows, of which each " + RowDigests.ROWS
                        + " have one");
        for (String digest : rowDigests) {
            require(DIGEST.matcher(digest).matches(), where + "'" + digest + "' is not a SHA-256");
        }
    }

    static void requireSorted(List<String> names, String what) {
        for (int i = 1; i < names.size(); i++) {
            require(
                    CanonicalJson.compareCodePoints(names.get(i - 1), names.get(i)) < 0,
                    what + ": '" + names.get(i) + "' is not sorted, or a duplicate");
        }
    }
}
