package io.rankfeed.spark.prepare.write;

/** When duplicate keys are searched for. */
public enum KeyCheck {
    /** While rows are written: rows with equal keys are next to each other in one unit, or the rows have no key. */
    WITHIN_UNIT,
    /** A scan of the keys before any row is written. */
    BEFORE,
    /**
     * A comparison of the row ids of written rows by the driver; the keys are scanned only if two ids are equal. A
     * small table is therefore read once, and little work is wasted if it is refused.
     */
    AFTER;

    /** What the driver sorts in less than a second, 8 bytes each. */
    private static final long MOST_ROWS_AFTER = 1L << 22;

    private static final long MOST_BYTES_AFTER = 4L << 30;

    public static KeyCheck of(long rows, long inputBytes) {
        return rows <= MOST_ROWS_AFTER && inputBytes <= MOST_BYTES_AFTER ? AFTER : BEFORE;
    }
}
