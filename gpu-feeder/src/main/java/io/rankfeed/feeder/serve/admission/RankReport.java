package io.rankfeed.feeder.serve.admission;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows that one rank read of one feed.
 *
 * @param seconds from the first batch handed over to the last one taken, summed over its connections
 * @param waitedSeconds as the trainer reported it, else an upper bound seen from here: at most one slot was with the trainer
 * @param isWaitReported whether the trainer reported it
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
        double waitedSeconds,
        boolean isWaitReported,
        SortedMap<Integer, SortedMap<String, Long>> strata) {
    private static final double NANOS = 1e9;

    public static RankReport of(RankFeed rankFeed, int world, Meter.Reading reading, Catalog catalog) {
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
                reading.waitedNanos() / NANOS,
                reading.isWaitReported(),
                strata);
    }

    public double rowsPerSecond() {
        return seconds > 0 ? rows / seconds : 0;
    }

    /** The share of the rank's active time that it spent waiting, 0 to 1. */
    public double waitShare() {
        return seconds > 0 ? waitedSeconds / seconds : 0;
    }
}
