package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.timing.StageTimes;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of the checks at the first access is that of a stage. */
class VerifyStageTest {
    private static final int ROWS = 40;
    private static final int BATCH_ROWS = 10;

    @TempDir
    private Path folder;

    @Test
    void checks_untilAllAreDone_haveAStage() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(new Field("pixels", DType.UINT8, Shape.of(500), false)));
        SequentialFeed feed = new SequentialFeed("valid", 1, BATCH_ROWS, ROWS, ROWS / BATCH_ROWS);
        Order order = new Order(
                "random",
                TestVersion.PLAN_ID,
                Optional.of(new Order.Storage(BATCH_ROWS, 2 * BATCH_ROWS)),
                List.of(feed));
        OpenVersion version = OpenVersion.open(
                TestVersion.write(folder, order, new RowValues(schema, 1, 6)).folder());
        RankOrder rows = RankOrder.sequential(SequentialOrder.of(feed), 0, 1);
        ColumnPlan plan = ColumnPlan.of(version.manifest(), rows.rows(), ColumnSelection.all(), 0);
        StageTable stages = new StageTable();
        RowContext any = RowContext.withoutImages();
        try (Arena arena = Arena.ofConfined();
                GatherPool pool = new GatherPool(0);
                LaneCache cache = version.map("valid", LaneSelection.all())) {
            MemorySegment table = arena.allocate(StageTable.BYTES, Long.BYTES);
            stages.moveTo(table);
            cache.verify(Verification.FIRST_ACCESS);
            BatchAssembler batches = new BatchAssembler(
                    rows, cache, plan, pool, new RowContext(any.workers(), any.rejections(), stages));
            for (int step : new int[] {0, 1, 1, 2, 3, 3, 0}) {
                batches.fill(
                        step,
                        arena.allocate(plan.slotBytes(), 64),
                        new SlotSizes(plan.tensors().size()));
            }
            StageTimes times = StageTimes.read(table.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN), 1);
            assertThat(times.count("verify"))
                    .as("batches before the last check")
                    .isEqualTo(5);
            assertThat(times.nanos("verify")).isPositive();
        }
    }
}
