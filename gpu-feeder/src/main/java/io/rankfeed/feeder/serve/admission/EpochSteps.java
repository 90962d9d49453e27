package io.rankfeed.feeder.serve.admission;

import java.util.Collections;
import java.util.List;

/**
 * The steps of a run by epoch.
 *
 * @param epochs of the run; 1 where sequential
 * @param perEpoch steps of an epoch, where they do not differ
 * @param starts the first step of each epoch; empty where they do not differ
 * @param total all steps; the last epoch may be shorter than the others
 */
public record EpochSteps(int epochs, long perEpoch, List<Long> starts, long total) {
    public EpochSteps {
        starts = List.copyOf(starts);
    }

    /** Epochs of one length. */
    public static EpochSteps of(int epochs, long perEpoch) {
        return new EpochSteps(epochs, perEpoch, List.of(), epochs * perEpoch);
    }

    /** The epoch of a step of the run. */
    public int epochAt(long step) {
        if (starts.isEmpty()) {
            return (int) (step / perEpoch);
        }
        int found = Collections.binarySearch(starts, step);
        return found >= 0 ? found : -found - 2;
    }

    /** The first step of an epoch. */
    public long start(int epoch) {
        return starts.isEmpty() ? epoch * perEpoch : starts.get(epoch);
    }
}
