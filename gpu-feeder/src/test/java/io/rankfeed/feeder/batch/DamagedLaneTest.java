package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Corrupts a cache after it was checked: the result is exit code 3 with the file and the byte, no crash and no byte of
 * another row.
 */
class DamagedLaneTest {
    private static final int ROWS = 40;
    private static final int BATCH = 20;

    @TempDir
    private Path dir;

    private final Arena arena = Arena.ofShared();
    private OpenVersion version;
    private LaneCache cache;
    private GatherPool pool;

    @BeforeEach
    void writeAndMap() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("pixels", DType.UINT8, Shape.of(5000), false),
                new Field("boxes", DType.INT32, Shape.of(Shape.VARIABLE, 2), false)));
        Order order = new Order(
                "random",
                TestVersion.PLAN_ID,
                Optional.of(new Order.Storage(ROWS, ROWS)),
                List.of(new SequentialFeed("valid", 1, BATCH, ROWS, ROWS / BATCH)));
        version = OpenVersion.open(
                TestVersion.write(dir, order, new RowValues(schema, 1, 6)).folder());
        cache = version.map("valid", LaneSelection.all());
        pool = new GatherPool(1);
    }

    @AfterEach
    void close() {
        pool.close();
        cache.close();
        arena.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20, 3})
    void offset_invalid_isRefusedWithByte(int lie) throws IOException {
        MappedColumn boxes = cache.column("boxes");
        int row = 7;
        long at = boxes.offsets(0) + 4L * row;
        overwrite(at, lie);

        assertThatThrownBy(() -> fill(0))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(lane().toString())
                .hasMessageContaining("'boxes'")
                .hasMessageMatching(".*byte (" + (at - 4) + "|" + at + "):.*");
    }

    @Test
    void lane_truncatedWhileMapped_isCorruption() throws IOException {
        fill(0);
        cut();

        assertThatThrownBy(() -> {
                    fill(0);
                    fill(1);
                })
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(lane().toString())
                .hasMessageContaining("truncated from");
    }

    /** The checksum is native code of the virtual machine, in which a lost page would end the process. */
    @ParameterizedTest
    @EnumSource(names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void lane_truncatedBeforeCheck_isCorruption(Verification when) throws IOException {
        cut();

        assertThatThrownBy(() -> {
                    cache.verify(when);
                    while (cache.verifyAhead()) {}
                    fill(0);
                    fill(1);
                })
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(lane().toString())
                .hasMessageContaining("truncated from");
    }

    @Test
    void batch_afterFailure_isRight() throws IOException {
        long at = cache.column("boxes").offsets(0) + 4L * 7;
        int truth = cache.column("boxes").offset(0, 7);
        overwrite(at, -1);
        assertThatThrownBy(() -> fill(0)).isInstanceOf(CorruptDataException.class);
        overwrite(at, truth);

        assertThat(fill(0)).isEqualTo(BATCH);
    }

    private int fill(long step) {
        RankOrder order = RankOrder.sequential(SequentialOrder.of((SequentialFeed) version.feed("valid")), 0, 1);
        ColumnPlan plan = ColumnPlan.of(version.manifest(), order.rows(), ColumnSelection.all(), 0);
        MemorySegment slot = arena.allocate(plan.slotBytes(), 64);
        int tensors = plan.tensors().size();
        return new BatchAssembler(order, cache, plan, pool, RowContext.withoutImages(), 64)
                .fill(step, slot, new SlotSizes(tensors));
    }

    private Path lane() {
        return version.folder().resolve(TestVersion.path("valid", 0, 0));
    }

    private void cut() throws IOException {
        try (FileChannel channel = FileChannel.open(lane(), StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    private void overwrite(long at, int value) throws IOException {
        try (FileChannel channel = FileChannel.open(lane(), StandardOpenOption.WRITE)) {
            ByteBuffer bytes =
                    ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(0, value);
            channel.write(bytes, at);
        }
    }
}
