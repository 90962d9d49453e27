package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.FedColumns;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.feeder.fixture.TestMixture;
import io.rankfeed.feeder.fixture.TestRows;
import io.rankfeed.feeder.plan.NamedOrder;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.transform.RowKeys;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.Mix;
import io.rankfeed.sampling.order.OrderLookup;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the slots of mixtures with the formulas of the values of their versions, at every world size and step, in any order. */
class MixtureBatchesPropertyTest {
    private static final long SHARD_BYTES = 64;
    private static final long SEED = 5;

    @TempDir
    private Path dir;

    private static LongStream seeds() {
        return Seed.several(MixtureBatchesPropertyTest.class, 8);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void batch_everyWorldAndStep_hasRowsOfAllMembers(long seed) throws IOException {
        Random random = new Random(seed);
        TestMixture written = TestMixture.write(dir, random);
        OpenOrder opened = NamedOrder.open(written.folder().toString(), Optional.empty());
        TrainFeed feed = (TrainFeed) opened.feed("train");
        TestRows rows = written.rows();
        List<ColumnRequest> columns = new ArrayList<>(List.of(ColumnRequest.of(ColumnPlan.ROW_ID)));
        rows.schema().names().forEach(name -> columns.add(ColumnRequest.of(name)));
        try (GatherPool pool = new GatherPool(1)) {
            for (int world = 1; world <= feed.lanes(); world++) {
                for (int rank = 0; rank < world && feed.lanes() % world == 0; rank++) {
                    LaneSelection lanes = new LaneSelection(List.of(rank), world);
                    try (LaneCache cache = opened.map("train", lanes)) {
                        cache.verify(Verification.FIRST_ACCESS);
                        RankOrder order = RankOrder.train(feed, rank, world);
                        ColumnPlan plan = ColumnPlan.of(opened.columns(), order.rows(), ColumnSelection.of(columns), 0);
                        BatchAssembler assembler =
                                new BatchAssembler(order, cache, plan, pool, RowContext.withoutImages(), SHARD_BYTES);
                        List<Long> steps = new ArrayList<>(
                                LongStream.range(0, order.steps()).boxed().toList());
                        if (random.nextBoolean()) {
                            Collections.shuffle(steps, random);
                        }
                        check(feed, rank, world, steps, assembler, new ExpectedBatch(plan, rows, "train"));
                    }
                }
            }
        }
    }

    private static void check(
            TrainFeed feed, int rank, int world, List<Long> steps, BatchAssembler assembler, ExpectedBatch expected) {
        OrderLookup lookup = new OrderLookup(feed);
        ColumnPlan plan = expected.plan();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment slot = arena.allocate(plan.slotBytes(), ColumnPlan.ALIGNMENT_BYTES);
            SlotSizes sizes = new SlotSizes(plan.tensors().size());
            for (long step : steps) {
                int valid = assembler.fill(step, slot, sizes);

                assertThat(valid).isEqualTo(plan.rows());
                expected.check(slot, valid, sizes, position -> lookup.rowAt(step, rank, world, position));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void rowKey_mixture_includesMember(long seed) throws IOException {
        TestMixture written = TestMixture.write(dir, new Random(seed));
        OpenOrder opened = NamedOrder.open(written.folder().toString(), Optional.empty());
        TrainFeed feed = (TrainFeed) opened.feed("train");
        RankOrder order = RankOrder.train(feed, 0, 1);
        List<ColumnRequest> columns = List.of(ColumnRequest.of(FedColumns.MEMBER));
        ColumnPlan plan = ColumnPlan.of(
                opened.columns(), order.rows(), new ColumnSelection(Optional.of(columns), Optional.of(SEED), true), 0);
        BatchRows rows = BatchRows.withCycles(order.rows());
        try (GatherPool pool = new GatherPool(0);
                LaneCache cache = opened.map("train", LaneSelection.all());
                Arena arena = Arena.ofShared()) {
            MemorySegment slot = arena.allocate(plan.slotBytes(), ColumnPlan.ALIGNMENT_BYTES);
            BatchAssembler assembler = new BatchAssembler(order, cache, plan, pool);
            for (long step = 0; step < order.steps(); step++) {
                assembler.fill(step, slot, new SlotSizes(2));
                order.fill(step, rows);
                for (int i = 0; i < rows.size(); i++) {
                    int member =
                            slot.get(ValueLayout.JAVA_INT, plan.tensors().get(0).valuesOffset() + 4L * i);
                    long rowId = written.rows().rowId("train", rows.stratum(i), rows.index(i));

                    assertThat(member).isEqualTo(memberOf(written, rows, i));
                    assertThat(slot.get(
                                    ValueLayout.JAVA_LONG, plan.tensors().get(1).valuesOffset() + 8L * i))
                            .isEqualTo(RowKeys.of(Mix.key(SEED, 10, member), rowId, rows.cycle(i)));
                }
            }
        }
    }

    private static int memberOf(TestMixture written, BatchRows rows, int i) {
        TestRows mixed = written.rows();
        int field = mixed.schema().names().indexOf(FedColumns.MEMBER);
        return ByteBuffer.wrap(mixed.value("train", rows.stratum(i), rows.index(i), field)
                        .bytes())
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
    }
}
