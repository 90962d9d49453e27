package io.rankfeed.spark.prepare.write;

/** When duplicate keys are searched for, where rows are in an order in which equal keys do not meet. */
public enum KeyCheck {
    /** By a scan of the keys before any row is written. */
    BEFORE,
    /**
     * By the row ids of what was written, which the driver compares; only where two are equal the keys are scanned. So a
     * small table is read once, and one that is refused wastes little writing.
     */
    AFTER;

    /** What the driver sorts in less than a second, 8 bytes each. */
    private static final long MOST_ROWS_AFTER = 1L << 22;

    private static final long MOST_BYTES_AFTER = 4L << 30;

    public static KeyCheck of(long rows, long inputBytes) {
        return rows <= MOST_ROWS_AFTER && inputBytes <= MOST_BYTES_AFTER ? AFTER : BEFORE;
    }
}
