package io.rankfeed.feeder.governor;

/** The settings that may be chosen; minimum and maximum are equal where the user chose. */
public record Limits(int minWorkers, int maxWorkers, int minReadAhead, int maxReadAhead) {
    public Limits {
        if (minWorkers < 0 || maxWorkers < minWorkers || minReadAhead < 1 || maxReadAhead < minReadAhead) {
            throw new IllegalArgumentException("limits are in order, and a batch is read ahead");
        }
    }

    /** Fewer threads were too few. */
    Limits atLeast(int workers) {
        return new Limits(workers, Math.max(workers, maxWorkers), minReadAhead, maxReadAhead);
    }

    /** More threads did not help. */
    Limits atMost(int workers) {
        return new Limits(Math.min(workers, minWorkers), workers, minReadAhead, maxReadAhead);
    }

    /** Fewer batches were too few. */
    Limits aheadAtLeast(int batches) {
        return new Limits(minWorkers, maxWorkers, batches, Math.max(batches, maxReadAhead));
    }
}
