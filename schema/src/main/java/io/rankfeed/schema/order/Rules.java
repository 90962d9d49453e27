package io.rankfeed.schema.order;

import io.rankfeed.schema.json.CanonicalJson;
import java.util.List;
import java.util.regex.Pattern;

/** Checks that every order must pass, whether it was planned or read from a file. */
final class Rules {
    private static final Pattern FEED = Pattern.compile("[a-z][a-z0-9_-]{0,30}");

    private Rules() {}

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    static void requireFeed(String name, int lanes, int batch) {
        require(FEED.matcher(name).matches(), "feed '" + name + "' does not match " + FEED.pattern());
        require(
                lanes >= 1 && lanes <= OrderLimits.MAX_LANES,
                "feed '" + name + "': lanes " + lanes + " must be 1 to " + OrderLimits.MAX_LANES);
        require(
                batch >= 1 && batch <= OrderLimits.MAX_BATCH && batch % lanes == 0,
                "feed '" + name + "': batch " + batch + " must be a multiple of " + lanes + " lanes, at most "
                        + OrderLimits.MAX_BATCH);
    }

    static void requireSorted(List<String> names, String what) {
        for (int i = 1; i < names.size(); i++) {
            require(
                    CanonicalJson.compareCodePoints(names.get(i - 1), names.get(i)) < 0,
                    what + ": '" + names.get(i) + "' is not sorted, or a duplicate");
        }
    }
}
