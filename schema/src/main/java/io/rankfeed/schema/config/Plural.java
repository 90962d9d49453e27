package io.rankfeed.schema.config;

/** Words behind a number. */
public final class Plural {
    private Plural() {}

    /** {@code "row group"} is "row group" of one and "row groups" of all other numbers. */
    public static String of(long count, String one) {
        return of(count, one, one + "s");
    }

    public static String of(long count, String one, String more) {
        return count == 1 ? one : more;
    }
}
