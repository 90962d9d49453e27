package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.fixture.Waiting;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool whose number of threads changes while it works. */
@Timeout(300)
class ResizedPoolTest {
    /** A shard so small that every batch is shared with the pool. */
    private static final long SHARD_BYTES = 64;

    private static final int BATCHES = 300;

    @TempDir
    private Path dir;

    private static LongStream seeds() {
        return Seed.several(ResizedPoolTest.class, 3);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void batch_whileThePoolIsResized_hasTheSameBytes(long seed) throws Exception {
        Random random = new Random(seed);
        RowValues values = new RowValues(RandomVersions.schema(random), seed, random.nextInt(12));
        OpenVersion version = OpenVersion.open(
                TestVersion.write(dir, RandomVersions.order(random), values).folder());
        TrainFeed train = (TrainFeed) version.feed("train");
        RankOrder order = RankOrder.train(train, 0, 1);
        ColumnPlan plan = ColumnPlan.of(version.manifest(), order.rows(), ColumnSelection.all(), 0);
        CountDownLatch end = new CountDownLatch(1);
        try (GatherPool alone = new GatherPool(0);
                GatherPool resized = new GatherPool(2);
                LaneCache cache = version.map("train", new LaneSelection(List.of(0), 1));
                Arena arena = Arena.ofShared()) {
            Thread resizing = Thread.ofPlatform().start(() -> resize(resized, new Random(seed), end));
            BatchAssembler first =
                    new BatchAssembler(order, cache, plan, alone, RowContext.withoutImages(), SHARD_BYTES);
            BatchAssembler second =
                    new BatchAssembler(order, cache, plan, resized, RowContext.withoutImages(), SHARD_BYTES);
            MemorySegment expected = arena.allocate(Math.max(1, plan.slotBytes()), 64);
            MemorySegment actual = arena.allocate(Math.max(1, plan.slotBytes()), 64);
            for (int i = 0; i < BATCHES; i++) {
                long step = random.nextLong(train.steps());
                expected.fill((byte) 0);
                actual.fill((byte) 0);
                int rows =
                        first.fill(step, expected, new SlotSizes(plan.tensors().size()));
                assertThat(second.fill(
                                step, actual, new SlotSizes(plan.tensors().size())))
                        .isEqualTo(rows);
                assertThat(expected.mismatch(actual)).as("step %d", step).isEqualTo(-1);
            }
            end.countDown();
            resizing.join();
        }
    }

    private static void resize(GatherPool pool, Random random, CountDownLatch end) {
        try {
            while (end.getCount() > 0) {
                pool.resize(random.nextInt(5));
                Thread.onSpinWait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void threads_followTheSize() throws IOException, InterruptedException {
        try (GatherPool pool = new GatherPool(1)) {
            pool.resize(4);
            assertThat(pool.threads()).isEqualTo(4);
            assertThat(pool.running()).isEqualTo(4);
            pool.resize(0);
            assertThat(pool.threads()).isZero();
            Waiting.until("helpers ended", () -> pool.running() == 0, () -> true);
            pool.resize(2);
            assertThat(pool.running()).isEqualTo(2);
        }
    }
}
