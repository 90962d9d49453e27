package io.rankfeed.feeder.timing;

import java.util.Locale;

/** Parts of the time, as users read them; the status page has the same. */
public final class Share {
    private static final double ONE_PERCENT = 0.01;

    private Share() {}

    /** Formats 0.031 as {@code 3 %}, what is less than one percent as {@code < 1 %}, and nothing as {@code 0 %}. */
    public static String percent(double share) {
        return share > 0 && share < ONE_PERCENT ? "< 1 %" : String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
