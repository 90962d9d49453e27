package io.rankfeed.feeder.diagnose;

import io.rankfeed.feeder.timing.StageTimes;

/**
 * A stretch of a feed on one node, with the settings that it had.
 *
 * @param ranks trainers of this node
 * @param seconds its length
 * @param rows that all ranks took in it
 * @param batches that all ranks took in it, at least one for each rank
 * @param times of its stages in it, summed over the ranks
 * @param ringBytes of one rank's ring
 * @param depth slots of one rank's ring
 * @param workers threads of the feeder that help with a batch
 * @param processors that the node's processes may use
 */
public record FeedStretch(
        String feed,
        int ranks,
        double seconds,
        long rows,
        long batches,
        StageTimes times,
        long ringBytes,
        int depth,
        int workers,
        int processors) {
    public FeedStretch {
        if (ranks < 1 || batches < ranks || !(seconds > 0)) {
            throw new IllegalArgumentException("a stretch has ranks, a batch for each of them, and a length");
        }
    }

    /** Seconds from one batch of a rank to its next. */
    double stepSeconds() {
        return seconds * ranks / batches;
    }

    /** The mean of a stage's durations in seconds; 0 where it has none. */
    double mean(String stage) {
        long count = times.count(stage);
        return count == 0 ? 0 : times.nanos(stage) / 1e9 / count;
    }
}
