package io.rankfeed.feeder.serve.admission;

/**
 * How many batches are made ready ahead of each trainer, in addition to the one that it computes on. Any thread may change it while
 * batches are fed. A slot that stays free for {@link #MAX_PAUSE_NANOS} is filled whatever the number is: the trainer may hold more
 * batches than one.
 */
public final class ReadAhead {
    /** The longest time for which a free slot is not filled. */
    public static final long MAX_PAUSE_NANOS = 20_000_000;

    private volatile int batches;

    /** @param batches 1 or more */
    public ReadAhead(int batches) {
        this.batches = batches;
    }

    public int batches() {
        return batches;
    }

    /** @param number 1 or more */
    public void set(int number) {
        batches = number;
    }
}
