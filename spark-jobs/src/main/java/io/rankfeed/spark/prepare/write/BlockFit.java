package io.rankfeed.spark.prepare.write;

/**
 * The search for how many rows fill a block: given the sizes that were measured, how much to try next. What rows take
 * in a file goes with their bytes in the log far better than with their number, so a secant over these finds it in one
 * or two steps; bounds on both sides, in rows, make it end.
 */
final class BlockFit {
    private static final double LEAST_FILL = 0.95;
    private static final double MAX_GROWTH = 64;

    private final long blockBytes;
    private final double targetBytes;
    private Point fit = new Point(0, 0, 0);
    private Point over = new Point(0, 0, 0);

    /** One measure: rows, their bytes in the log, and in a file. */
    private record Point(int rows, long rawBytes, long bytes) {}

    /** @param targetFill part of the block that a row group should fill */
    BlockFit(long blockBytes, double targetFill) {
        this.blockBytes = blockBytes;
        this.targetBytes = targetFill * blockBytes;
    }

    static boolean fills(long bytes, long blockBytes) {
        return bytes <= blockBytes && bytes >= (long) (LEAST_FILL * blockBytes);
    }

    /** @param cut of no rows apart */
    void measured(GroupRows cut, long bytes) {
        if (bytes <= blockBytes && cut.rows() >= fit.rows()) {
            fit = new Point(cut.rows(), cut.rawBytes(), bytes);
        } else if (bytes > blockBytes && (!isBounded() || cut.rows() < over.rows())) {
            over = new Point(cut.rows(), cut.rawBytes(), bytes);
        }
    }

    /** The largest number of rows known to fit; 0 if none is. */
    int fitRows() {
        return fit.rows();
    }

    /** True if a number that is too large is known. */
    boolean isBounded() {
        return over.rows() != 0;
    }

    /** The least number of rows that is worth a try. */
    int leastRows() {
        return fit.rows() + 1;
    }

    /** The largest such number. */
    int mostRows() {
        return isBounded() ? over.rows() - 1 : Integer.MAX_VALUE;
    }

    /** True if no number between those tried is left to try. */
    boolean isSettled() {
        return isBounded() && over.rows() - fit.rows() <= 1;
    }

    /** The number of the log's bytes to try next, after at least one measurement. */
    long nextRawBytes() {
        if (!isBounded()) {
            double scaled = fit.rawBytes() * (targetBytes / Math.max(fit.bytes(), 1));
            return (long) Math.min(Math.max(scaled, fit.rawBytes() + 1.0), fit.rawBytes() * MAX_GROWTH);
        }
        double slope = (double) (over.bytes() - fit.bytes()) / Math.max(1, over.rawBytes() - fit.rawBytes());
        double guess = fit.rawBytes() + (targetBytes - fit.bytes()) / slope;
        return (long) Math.max(1, Math.min(guess, (double) over.rawBytes()));
    }
}
