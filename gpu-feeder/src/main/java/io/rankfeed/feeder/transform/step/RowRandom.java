package io.rankfeed.feeder.transform.step;

import io.rankfeed.sampling.order.Mix;

/**
 * The random numbers of one step and row, in sequence (docs/transforms.md, "Randomness"): a pure function of (transform seed, index of
 * the step, row id, cycle). Reused for each row; not safe for use by several threads.
 */
public final class RowRandom {
    /** One of the purposes in docs/format/plan.md, section 2. */
    private static final long PURPOSE = 6;

    private static final double ULP = 0x1.0p-53;

    private long row;
    private long key;
    private long drawn;

    /** Selects a row and cycle. */
    public void row(long seed, long rowId, long cycle) {
        row = Mix.append(Mix.append(Mix.append(seed, PURPOSE), rowId), cycle);
        step(0);
    }

    /** Selects an image of the row's list instead of the row. */
    public void item(int number) {
        row = Mix.append(row, number);
        step(0);
    }

    /** Selects a step of the row and restarts its sequence of numbers. */
    public void step(int index) {
        key = Mix.append(row, index);
        drawn = 0;
    }

    /** Draws a number of [0, 1). */
    public double uniform() {
        drawn++;
        return (Mix.mix(key + drawn * Mix.PHI) >>> 11) * ULP;
    }

    /** Draws a number of [from, to). */
    public double uniform(double from, double to) {
        return from + (to - from) * uniform();
    }

    /** Draws a whole number of 0 to n (exclusive), for n of at least 1. */
    public int below(int n) {
        return (int) (uniform() * n);
    }

    /** Draws one number; returns true with this probability. */
    public boolean happens(double probability) {
        return uniform() < probability;
    }
}
