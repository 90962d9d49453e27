package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.timing.StageTimes;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows that one rank read of one feed.
 *
 * @param seconds from the first batch handed over to the last one taken, summed over its connections
 * @param attachedSeconds for which its clients were attached
 * @param waitedSeconds in which they waited for a batch, by their stage tables
 * @param strata rows by stage and stratum
 */
public record RankReport(
        String feed,
        int rank,
        int world,
        long rows,
        long steps,
        long connections,
        double seconds,
        double attachedSeconds,
        double waitedSeconds,
        SortedMap<Integer, SortedMap<String, Long>> strata) {
    private static final double NANOS = 1e9;

    public static RankReport of(
            RankFeed rankFeed, int world, Meter.Reading reading, StageTimes times, Catalog catalog) {
        SortedMap<Integer, SortedMap<String, Long>> strata = new TreeMap<>();
        for (Meter.StepRange range : reading.ranges()) {
            catalog.tally(rankFeed.feed(), rankFeed.rank(), world, range.from(), range.to())
                    .forEach((stage, rows) ->
                            rows.forEach((stratum, count) -> strata.computeIfAbsent(stage, key -> new TreeMap<>())
                                    .merge(stratum, count, Long::sum)));
        }
        return new RankReport(
                rankFeed.feed(),
                rankFeed.rank(),
                world,
                reading.rows(),
                reading.steps(),
                reading.connections(),
                reading.activeNanos() / NANOS,
                times.attachedNanos() / NANOS,
                times.nanos(Stage.WAIT_BATCH.id()) / NANOS,
                strata);
    }

    public double rowsPerSecond() {
        return seconds > 0 ? rows / seconds : 0;
    }

    /** The part of the time in which the rank waited for a batch, 0 to 1. */
    public double dataWait() {
        return attachedSeconds > 0 ? Math.min(1, waitedSeconds / attachedSeconds) : 0;
    }
}
