package io.rankfeed.schema.order;

/** The limits of an order's numbers (docs/format/plan.md, section 3.6). */
public final class OrderLimits {
    public static final int MAX_LANES = 1 << 16;
    public static final int MAX_BATCH = 1 << 24;
    /** Stored lanes times strata, over all members: a reader keeps one counter for each. */
    public static final long MAX_COUNTERS = 1L << 22;
    /** Epochs whose first steps are listed. */
    public static final int MAX_EPOCH_STARTS = 1 << 16;
    /** Rows of a stored pool and of the run together. */
    static final long MAX_POOL = Long.MAX_VALUE - MAX_LANES;

    private OrderLimits() {}

    /** Whether the product of two numbers that are not negative is less than 2^63. */
    public static boolean fits(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0;
    }

    /** Whether every sum of the comb of a segment with so many steps is less than 2^63. */
    public static boolean fitsComb(long steps, int rowsPerLane) {
        return steps < 1L << 32 && fits(steps, steps + rowsPerLane + 3);
    }
}
