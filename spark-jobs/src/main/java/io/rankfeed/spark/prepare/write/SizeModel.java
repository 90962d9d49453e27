package io.rankfeed.spark.prepare.write;

/**
 * What one unit's row groups have taught about the next: bytes in a file per byte in the log, and how far off that was.
 */
final class SizeModel {
    private static final double MOST = 0.99;
    private static final double LEAST = 0.975;

    /** The free space, as a multiple of the usual error of the prediction. */
    private static final double MARGIN = 2.5;

    private double ratio;
    private double miss = (1 - 0.982) / MARGIN;

    /** The part of a block that a row group should fill; it grows with the precision of the predictions. */
    double targetFill() {
        return Math.max(LEAST, Math.min(MOST, 1 - MARGIN * miss));
    }

    boolean isKnown() {
        return ratio > 0;
    }

    /** Bytes in the log that make so many in a file. */
    long rawBytes(double bytes) {
        return (long) Math.max(1, Math.min(bytes / ratio, 1L << 50));
    }

    double bytes(long rawBytes) {
        return rawBytes * ratio;
    }

    void learn(long rawBytes, long bytes) {
        double seen = (double) bytes / Math.max(rawBytes, 1);
        if (isKnown()) {
            miss = 0.75 * miss + 0.25 * Math.abs(seen / ratio - 1);
            ratio = 0.5 * ratio + 0.5 * seen;
        } else {
            ratio = seen;
        }
    }
}
