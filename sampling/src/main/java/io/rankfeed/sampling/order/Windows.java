package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.TrainFeed;

/**
 * Shuffles the slots of a lane within windows of steps ({@code balance-within: epoch}). Windows end at the ends of segments and
 * epochs.
 */
final class Windows {
    private final long seed;
    private final int window;
    private final int stepsPerEpoch;

    Windows(TrainFeed order) {
        this.seed = order.seed();
        this.window = order.window();
        this.stepsPerEpoch = order.stepsPerEpoch();
    }

    boolean narrow() {
        return window == 1;
    }

    long first(Comb comb, long step) {
        long low = Math.max(comb.step, step - step % stepsPerEpoch);
        return step - (step - low) % window;
    }

    /** Slots of the window that begins at {@code first}. */
    long slots(Comb comb, long first) {
        long high = Math.min(comb.end, first - first % stepsPerEpoch + stepsPerEpoch);
        return (Math.min(first + window, high) - first) * comb.rowsPerLane;
    }

    /** Returns the slot of the comb for a slot of the order; both count from the window's first step. */
    long source(long first, long slots, int lane, long slot) {
        return Permutation.at(slots, Mix.key(seed, 5, first, lane), slot);
    }

    /** The inverse of {@link #source}. */
    long target(long first, long slots, int lane, long slot) {
        return Permutation.indexOf(slots, Mix.key(seed, 5, first, lane), slot);
    }
}
