package io.rankfeed.feeder.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.nio.file.Path;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StrataTallyPropertyTest {
    private static final long SEED = Seed.of(StrataTallyPropertyTest.class);
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/version");

    @Test
    void tally_equalsCountOverBatches() {
        Random random = new Random(SEED);
        TrainFeed order = (TrainFeed) OpenVersion.open(GOLDEN).feed("train");
        for (int round = 0; round < 100; round++) {
            int world = 1 + random.nextInt(2);
            int rank = random.nextInt(world);
            long from = random.nextLong(order.steps() + 1);
            long to = from + random.nextLong(order.steps() - from + 1);
            assertThat(new StrataTally(order, rank, world).between(from, to))
                    .as("seed %d: rank %d of %d, steps %d to %d", SEED, rank, world, from, to)
                    .isEqualTo(counted(order, rank, world, from, to));
        }
    }

    @Test
    void tally_stageOfSeveralEpochs_isOneCount() {
        TrainFeed feed = (TrainFeed) OpenVersion.open(GOLDEN).feed("train");
        SortedMap<Integer, SortedMap<String, Long>> bySegment = new StrataTally(feed, 0, 1).between(0, 10);
        assertThat(bySegment).hasSize(2);
        assertThat(StrataTally.byStage(feed, bySegment)).isEqualTo(bySegment);
        TrainFeed cut = inOneStage(feed);
        SortedMap<String, Long> both = new TreeMap<>();
        bySegment.values().forEach(rows -> rows.forEach((name, count) -> both.merge(name, count, Long::sum)));
        assertThat(StrataTally.byStage(cut, bySegment)).containsOnlyKeys(0).containsEntry(0, both);
    }

    private static TrainFeed inOneStage(TrainFeed feed) {
        return new TrainFeed(
                feed.name(),
                feed.seed(),
                feed.lanes(),
                feed.batch(),
                feed.epochs(),
                feed.stepsPerEpoch(),
                feed.mode(),
                feed.order(),
                feed.window(),
                feed.strata(),
                feed.segments().stream()
                        .map(segment -> new Segment(
                                segment.step(),
                                segment.steps(),
                                segment.number(),
                                segment.quotas(),
                                segment.base(),
                                segment.m(),
                                segment.c(),
                                0))
                        .toList());
    }

    private static SortedMap<Integer, SortedMap<String, Long>> counted(
            TrainFeed order, int rank, int world, long from, long to) {
        SortedMap<Integer, SortedMap<String, Long>> stages = new TreeMap<>();
        EpochOrder epochs = new EpochOrder(order, rank, world);
        BatchRows rows = new BatchRows(epochs.rowsPerBatch());
        for (long step = from; step < to; step++) {
            epochs.fill(step, rows);
            Segment segment = order.segmentAt(step);
            SortedMap<String, Long> counts = stages.computeIfAbsent((int) segment.number(), key -> new TreeMap<>());
            for (int i = 0; i < rows.size(); i++) {
                counts.merge(order.strata().get(rows.stratum(i)).name(), 1L, Long::sum);
            }
        }
        return stages;
    }
}
