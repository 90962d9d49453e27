package io.rankfeed.feeder.metrics;

import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.serve.admission.RankFeed;
import io.rankfeed.feeder.serve.admission.RankState;
import io.rankfeed.feeder.timing.StageTimes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** States of feeders, as tests need them. */
final class TestNode {
    /** A feeder that copies its version. */
    static final NodeState COPYING = new NodeState(
            false,
            "00000000000000bb",
            "00000000000000aa",
            "r",
            0,
            0,
            new NodeState.Sync(100, 40),
            List.of(),
            Map.of(),
            Map.of());

    private static final RingLayout RING = new RingLayout(4, 1, 128, 8192, 12_288, 40_960, 4096, 57_344);

    private TestNode() {}

    /** A feeder that serves these ranks. */
    static NodeState serving(RankState... ranks) {
        return new NodeState(
                true,
                COPYING.version(),
                COPYING.plan(),
                COPYING.run(),
                2,
                1000,
                new NodeState.Sync(100, 100),
                Arrays.asList(ranks),
                Map.of("pixels: \"a\"\\b", 3L),
                Map.of("Corrupt JPEG data", 5L));
    }

    /**
     * A rank with a trainer.
     *
     * @param stages name and seconds of each, in durations of half a second
     */
    static RankState rank(String feed, int rank, long rows, long seconds, Map<String, Double> stages) {
        TreeMap<String, StageTimes.Sum> sums = new TreeMap<>();
        stages.forEach((name, took) -> sums.put(name, new StageTimes.Sum((long) (took * 2), (long) (took * 1e9))));
        StageTimes times = new StageTimes(seconds * 1_000_000_000L, sums);
        return new RankState(
                new RankFeed(rank, feed), 2, rows, rows / 8, 1, seconds, List.of(), Optional.of(RING), 3, times);
    }

    /** The same rank without a trainer. */
    static RankState detached(RankState rank) {
        return new RankState(
                rank.key(),
                rank.world(),
                rank.rows(),
                rank.batches(),
                rank.connections(),
                rank.seconds(),
                rank.taken(),
                Optional.empty(),
                0,
                rank.times());
    }
}
