package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.timing.StageTimes;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one rank took of one feed so far, over all its connections, and its ring.
 *
 * @param batches that the trainer released
 * @param seconds from the first batch handed over to the last one taken, summed over its connections
 * @param taken the steps of these batches, as far as this feeder gave them
 * @param ring of the client that is attached; empty without one
 * @param filledSlots slots of the ring that the client has, or that are ready for it
 * @param times of the stages
 */
public record RankState(
        RankFeed key,
        int world,
        long rows,
        long batches,
        long connections,
        double seconds,
        List<StepRange> taken,
        Optional<RingLayout> ring,
        int filledSlots,
        StageTimes times) {
    private static final double NANOS = 1e9;

    public RankState {
        taken = List.copyOf(taken);
    }

    public static RankState of(RankFeed key, int world, Meter meter, Optional<RingLayout> ring, StageTimes times) {
        Meter.Reading reading = meter.read();
        return new RankState(
                key,
                world,
                reading.rows(),
                reading.steps(),
                reading.connections(),
                reading.activeNanos() / NANOS,
                reading.ranges(),
                ring,
                reading.lentSlots(),
                times);
    }

    /** What this rank took as the client of two feeders, of which the other one came later. */
    public RankState plus(RankState later) {
        return new RankState(
                key,
                later.world,
                rows + later.rows,
                batches + later.batches,
                connections + later.connections,
                seconds + later.seconds,
                later.taken,
                later.ring,
                later.filledSlots,
                times.plus(later.times));
    }

    /** What this rank did since an earlier state, with the ring of now. */
    public RankState since(RankState earlier) {
        return new RankState(
                key,
                world,
                rows - earlier.rows,
                batches - earlier.batches,
                connections - earlier.connections,
                seconds - earlier.seconds,
                taken,
                ring,
                filledSlots,
                times.since(earlier.times));
    }

    /** What the stages of each feed took so far, over its ranks. */
    public static SortedMap<String, StageTimes> timesByFeed(Collection<RankState> ranks) {
        SortedMap<String, StageTimes> feeds = new TreeMap<>();
        ranks.forEach(rank -> feeds.merge(rank.key().feed(), rank.times(), StageTimes::plus));
        return feeds;
    }

    /** The rows that the rank took, by stage and stratum. */
    public SortedMap<Integer, SortedMap<String, Long>> strata(Catalog catalog) {
        SortedMap<Integer, SortedMap<String, Long>> strata = new TreeMap<>();
        for (StepRange range : taken) {
            catalog.tally(key.feed(), key.rank(), world, range.from(), range.to())
                    .forEach((stage, rows) ->
                            rows.forEach((stratum, count) -> strata.computeIfAbsent(stage, absent -> new TreeMap<>())
                                    .merge(stratum, count, Long::sum)));
        }
        return strata;
    }

    public double rowsPerSecond() {
        return seconds > 0 ? rows / seconds : 0;
    }
}
