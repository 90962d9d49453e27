package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.sampling.order.OrderLookup;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the slots of any version, columns, world and step with the formulas of the values. */
class BatchAssemblerPropertyTest {
    /** A shard so small that every batch is shared with the pool. */
    private static final long SHARD_BYTES = 64;

    private static final byte FILL = 0x5A;

    @TempDir
    private Path dir;

    private static LongStream seeds() {
        return Seed.several(BatchAssemblerPropertyTest.class, 8);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void batch_everyLayout_hasRowsOfTheOrder(long seed) throws IOException {
        Random random = new Random(seed);
        RowValues values = new RowValues(RandomVersions.schema(random), seed, random.nextInt(12));
        TestVersion written = TestVersion.write(dir, RandomVersions.order(random), values);
        OpenVersion version = OpenVersion.open(written.folder());
        TrainFeed train = (TrainFeed) version.feed("train");
        int world = worldOf(random, train.lanes());
        int rank = random.nextInt(world);
        OrderLookup lookup = new OrderLookup(train);
        List<ColumnRequest> requests = requests(random, values);
        try (GatherPool pool = new GatherPool(2);
                LaneCache cache = version.map("train", new LaneSelection(List.of(rank), world));
                LaneCache sequential = version.map("valid", new LaneSelection(List.of(rank), world))) {
            Checked trainFeed =
                    new Checked(version, cache, RankOrder.train(train, rank, world), requests, pool, values, "train");
            for (int i = 0; i < 8; i++) {
                long step = random.nextLong(train.steps());
                trainFeed.check(step, train.batch() / world, position -> lookup.rowAt(step, rank, world, position));
            }
            SequentialOrder list = SequentialOrder.of((SequentialFeed) version.feed("valid"));
            Checked validFeed = new Checked(
                    version, sequential, RankOrder.sequential(list, rank, world), requests, pool, values, "valid");
            for (long step = 0; step < list.steps(); step++) {
                long from = step;
                validFeed.check(
                        step,
                        list.validRows(step, rank, world),
                        position -> new OrderLookup.Row(0, from * list.batch() + rank + (long) position * world));
            }
        }
    }

    private static int worldOf(Random random, int lanes) {
        List<Integer> worlds = new ArrayList<>();
        for (int world = 1; world <= lanes; world++) {
            if (lanes % world == 0) {
                worlds.add(world);
            }
        }
        return worlds.get(random.nextInt(worlds.size()));
    }

    private static List<ColumnRequest> requests(Random random, RowValues values) {
        List<ColumnRequest> requests = new ArrayList<>();
        if (random.nextBoolean()) {
            requests.add(ColumnRequest.of(ColumnPlan.ROW_ID));
        }
        values.schema().fields().forEach(field -> {
            boolean ragged = field.kind() == Field.Kind.RAGGED;
            if (ragged && random.nextBoolean()) {
                requests.add(ColumnRequest.of(field.name(), Layout.RAGGED));
            } else if (ragged) {
                requests.add(ColumnRequest.padded(field.name(), random.nextInt(2)));
            } else {
                requests.add(ColumnRequest.of(field.name()));
            }
        });
        return requests;
    }

    /** An assembler, and the expected bytes, computed row by row. */
    private static final class Checked {
        private final ColumnPlan plan;
        private final BatchAssembler assembler;
        private final ExpectedBatch expected;

        Checked(
                OpenVersion version,
                LaneCache cache,
                RankOrder order,
                List<ColumnRequest> requests,
                GatherPool pool,
                RowValues values,
                String feed) {
            plan = ColumnPlan.of(version.manifest(), order.rows(), ColumnSelection.of(requests), 0);
            assembler = new BatchAssembler(order, cache, plan, pool, RowContext.withoutImages(), SHARD_BYTES);
            expected = new ExpectedBatch(plan, values, feed);
        }

        void check(long step, int rows, ExpectedBatch.RowAt rowAt) {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment slot = arena.allocate(Math.max(plan.slotBytes(), 1), 64);
                slot.fill(FILL);
                SlotSizes sizes = new SlotSizes(plan.tensors().size());

                int valid = assembler.fill(step, slot.asSlice(0, plan.slotBytes()), sizes);

                assertThat(valid).isEqualTo(rows);
                expected.check(slot, valid, sizes, rowAt);
            }
        }
    }
}
