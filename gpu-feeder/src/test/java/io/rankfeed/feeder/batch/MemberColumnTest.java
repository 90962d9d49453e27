package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.FedColumns;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.sampling.order.OrderLookup;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version that has a column with the name of the column of member numbers is not a mixture: earlier jobs accepted the name. */
class MemberColumnTest {
    private static final SampleSchema SCHEMA =
            new SampleSchema(List.of(new Field(FedColumns.MEMBER, DType.FLOAT64, Shape.of(3), true)));

    @TempDir
    private Path dir;

    @Test
    void version_withAColumnOfMembers_isFedAsAnyOther() throws IOException {
        TestVersion written = TestVersion.write(dir, RandomVersions.order(new Random(4)), new RowValues(SCHEMA, 4, 9));
        OpenOrder opened = OpenOrder.of(OpenVersion.open(written.folder()));
        TrainFeed feed = (TrainFeed) opened.feed("train");
        RankOrder order = RankOrder.train(feed, 0, 1);
        ColumnPlan plan = ColumnPlan.of(opened.columns(), order.rows(), ColumnSelection.all(), 0);
        assertThat(plan.tensors())
                .extracting(TensorSpec::name)
                .containsExactly("row_id", FedColumns.MEMBER, FedColumns.MEMBER + ".valid");
        ExpectedBatch expected = new ExpectedBatch(plan, written.values(), "train");
        OrderLookup lookup = new OrderLookup(feed);
        try (GatherPool pool = new GatherPool(0);
                LaneCache cache = opened.map("train", LaneSelection.all());
                Arena arena = Arena.ofShared()) {
            assertThat(cache.mixedMembers()).isZero();
            MemorySegment slot = arena.allocate(plan.slotBytes(), ColumnPlan.ALIGNMENT_BYTES);
            SlotSizes sizes = new SlotSizes(plan.tensors().size());
            BatchAssembler assembler = new BatchAssembler(order, cache, plan, pool);
            for (long step = 0; step < order.steps(); step++) {
                long at = step;
                int valid = assembler.fill(step, slot, sizes);
                expected.check(slot, valid, sizes, position -> lookup.rowAt(at, 0, 1, position));
            }
        }
    }
}
