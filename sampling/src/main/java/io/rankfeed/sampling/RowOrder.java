package io.rankfeed.sampling;

import java.util.Locale;

/** What follows what inside the quotas. */
public enum RowOrder {
    /** Any row may come next. */
    GLOBAL,
    /** The list's own order. */
    PLANNED;

    /** The word in a job file and in order.json. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
