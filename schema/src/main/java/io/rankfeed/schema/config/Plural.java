package io.rankfeed.schema.config;

import java.util.Locale;

/** Words after a number. */
public final class Plural {
    private Plural() {}

    /** {@code "row group"} is "row group" of one and "row groups" of all other numbers. */
    public static String of(long count, String one) {
        return of(count, one, one + "s");
    }

    public static String of(long count, String one, String more) {
        return count == 1 ? one : more;
    }

    /** {@code "1 row"}, {@code "20,000 rows"}. */
    public static String counted(long count, String one) {
        return counted(count, one, one + "s");
    }

    /** {@code "1 stratum is"}, {@code "2 strata are"}. */
    public static String counted(long count, String one, String more) {
        return String.format(Locale.ROOT, "%,d %s", count, of(count, one, more));
    }
}
