package io.rankfeed.schema.order;

import java.util.Locale;

/** The order of a stratum's rows from cycle to cycle. */
public enum RowCycles {
    /** Every cycle has the order of the list. */
    LIST,
    /** The first cycle has the order of the list, later ones are shuffled. */
    LIST_FIRST,
    /** Every cycle is shuffled. */
    SHUFFLED;

    /** The value in order.json. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
