package io.rankfeed.spark.prepare;

/**
 * The search for how many rows fill a block: given the sizes that were measured, which number to try next. Sizes are
 * nearly linear in rows, so a secant finds it in one or two steps; bounds on both sides make it end.
 */
final class BlockFit {
    private static final double LEAST_FILL = 0.95;
    private static final double AIM = 0.98;
    private static final int MAX_GROWTH = 8;

    private final long blockBytes;
    private int fitRows;
    private long fitBytes;
    private int overRows;
    private long overBytes;

    BlockFit(long blockBytes) {
        this.blockBytes = blockBytes;
    }

    static boolean fills(long bytes, long blockBytes) {
        return bytes <= blockBytes && bytes >= (long) (LEAST_FILL * blockBytes);
    }

    void measured(int rows, long bytes) {
        if (bytes <= blockBytes && rows >= fitRows) {
            fitRows = rows;
            fitBytes = bytes;
        } else if (bytes > blockBytes && (overRows == 0 || rows < overRows)) {
            overRows = rows;
            overBytes = bytes;
        }
    }

    /** The largest number of rows known to fit; 0 if none is. */
    int fitRows() {
        return fitRows;
    }

    /** True if a number that is too large is known. */
    boolean isBounded() {
        return overRows != 0;
    }

    /** How many rows a block of the same kind of rows holds, by one file that was measured. */
    int nextFrom(int rows, long bytes) {
        return (int) Math.max(1, Math.min(rows * (AIM * blockBytes / Math.max(bytes, 1)), 1 << 30));
    }

    /** True if no number between those tried is left to try. */
    boolean isSettled() {
        return overRows != 0 && overRows - fitRows <= 1;
    }

    /** How many rows to try next, after at least one measure. */
    int next() {
        double aim = AIM * blockBytes;
        if (overRows == 0) {
            double scaled = fitRows * (aim / Math.max(fitBytes, 1));
            return (int) Math.min(Math.max(scaled, fitRows + 1.0), Math.min((double) fitRows * MAX_GROWTH, 1 << 30));
        }
        double slope = (double) (overBytes - fitBytes) / (overRows - fitRows);
        int guess = (int) (fitRows + (aim - fitBytes) / slope);
        return Math.min(Math.max(guess, fitRows + 1), overRows - 1);
    }
}
