package io.rankfeed.schema.order;

import io.rankfeed.schema.json.CanonicalJson;
import java.util.List;
import java.util.regex.Pattern;

/** Checks that every order must pass, whether it was planned or read from a file. */
final class Rules {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,30}");
    private static final Pattern DATASET = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

    private Rules() {}

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    static void requireDataset(String name) {
        require(DATASET.matcher(name).matches(), "dataset '" + name + "' does not match " + DATASET.pattern());
    }

    static void requireId(String id, String what) {
        require(ID.matcher(id).matches(), what + " '" + id + "' is not an id of 16 hexadecimal digits");
    }

    static void requireName(String what, String name) {
        require(NAME.matcher(name).matches(), what + " '" + name + "' does not match " + NAME.pattern());
    }

    static void requireFeed(String name, int lanes, int batch) {
        requireName("feed", name);
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
