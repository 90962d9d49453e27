package io.rankfeed.schema.order;

import java.util.Locale;

/** The order of rows within the quotas. */
public enum RowOrder {
    /** A pseudorandom order. */
    GLOBAL,
    /** The order of the list. */
    PLANNED;

    /** The value in a job file and in order.json. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
