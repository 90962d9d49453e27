package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flips bits in a cached file of unchanged length: they are served with {@code off}, otherwise reported with file and
 * record batch.
 */
class FlippedBitsTest {
    private static final int ROWS = 40;
    private static final int BATCH_ROWS = 10;
    private static final int CORRUPTED = 2;

    @TempDir
    private Path dir;

    private final Arena arena = Arena.ofShared();
    private final GatherPool pool = new GatherPool(1);
    private OpenVersion version;

    @BeforeEach
    void write() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(
                new Field("pixels", DType.UINT8, Shape.of(500), false),
                new Field("boxes", DType.INT32, Shape.of(Shape.VARIABLE, 2), false)));
        Order order = new Order(
                "random",
                TestVersion.PLAN_ID,
                Optional.of(new Order.Storage(BATCH_ROWS, 2 * BATCH_ROWS)),
                List.of(new SequentialFeed("valid", 1, BATCH_ROWS, ROWS, ROWS / BATCH_ROWS)));
        version = OpenVersion.open(
                TestVersion.write(dir, order, new RowValues(schema, 1, 6)).folder());
    }

    @AfterEach
    void close() {
        pool.close();
        arena.close();
    }

    @Test
    void batch_corruptedRecordBatch_failsAlone() throws IOException {
        flip();
        try (LaneCache cache = version.map("valid", LaneSelection.all())) {
            cache.verify(Verification.FIRST_ACCESS);
            assertThat(fill(cache, 0)).isEqualTo(BATCH_ROWS);
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> fill(cache, CORRUPTED))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining(TestVersion.path("valid", 0, 1))
                        .hasMessageContaining("record batch 0 (to byte ");
            }
            assertThat(fill(cache, 1)).isEqualTo(BATCH_ROWS);
            assertThat(fill(cache, 3)).isEqualTo(BATCH_ROWS);
        }
    }

    @Test
    void backgroundCheck_isSilentAndChecksOnce() throws IOException {
        flip();
        try (LaneCache cache = version.map("valid", LaneSelection.all())) {
            cache.verify(Verification.FIRST_ACCESS);
            for (int block = 0; block < 4; block++) {
                assertThat(cache.verifyAhead()).isTrue();
            }
            assertThat(cache.verifyAhead()).isFalse();
            assertThatThrownBy(() -> fill(cache, CORRUPTED)).isInstanceOf(CorruptDataException.class);
        }
        flip();
        try (LaneCache cache = version.map("valid", LaneSelection.all())) {
            cache.verify(Verification.FIRST_ACCESS);
            assertThat(fill(cache, CORRUPTED)).isEqualTo(BATCH_ROWS);
            flip();
            assertThat(fill(cache, CORRUPTED)).isEqualTo(BATCH_ROWS);
        }
    }

    @Test
    void bit_flippedAfterCheck_isFoundInNextPass() throws IOException {
        try (LaneCache cache = version.map("valid", LaneSelection.all())) {
            cache.verify(Verification.FIRST_ACCESS);
            assertThat(pass(cache)).isZero();
            assertThat(fill(cache, CORRUPTED)).isEqualTo(BATCH_ROWS);
            while (cache.verifyAhead()) {}
            assertThat(pass(cache)).isEqualTo(ROWS / BATCH_ROWS);

            flip();
            assertThat(fill(cache, CORRUPTED)).isEqualTo(BATCH_ROWS);
            assertThat(pass(cache)).isEqualTo(CORRUPTED + 1);

            for (int step : new int[] {CORRUPTED, 3}) {
                assertThatThrownBy(() -> fill(cache, step))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining(TestVersion.path("valid", 0, 1))
                        .hasMessageContaining("record batch 0 (to byte ");
            }
            assertThat(fill(cache, 0)).isEqualTo(BATCH_ROWS);
            assertThat(fill(cache, 1)).isEqualTo(BATCH_ROWS);
            assertThat(pass(cache)).isEqualTo(ROWS / BATCH_ROWS / 2);
        }
    }

    @Test
    void pass_truncatedFile_ends() throws IOException {
        try (LaneCache cache = version.map("valid", LaneSelection.all())) {
            cache.verify(Verification.START);
            Path file = version.folder().resolve(TestVersion.path("valid", 0, 0));
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
            assertThat(pass(cache)).isLessThanOrEqualTo(ROWS / BATCH_ROWS);
            assertThatThrownBy(() -> fill(cache, 0))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("truncated from");
            assertThat(fill(cache, 3)).isEqualTo(BATCH_ROWS);
        }
    }

    /** Counts the blocks that one pass of the second check reads. */
    private static int pass(LaneCache cache) {
        int blocks = 0;
        while (cache.verifyAgain(() -> {})) {
            blocks++;
        }
        return blocks;
    }

    @Test
    void verification_startOrOff_checksAllOrNothing() throws IOException {
        flip();
        try (LaneCache cache = version.map("valid", LaneSelection.all())) {
            assertThatThrownBy(() -> cache.verify(Verification.START))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("record batch 0");
            cache.verify(Verification.OFF);
            assertThat(cache.verifyAhead()).isFalse();
            assertThat(fill(cache, CORRUPTED)).isEqualTo(BATCH_ROWS);
        }
        flip();
        try (LaneCache cache = version.map("valid", LaneSelection.all())) {
            cache.verify(Verification.START);
            assertThat(fill(cache, CORRUPTED)).isEqualTo(BATCH_ROWS);
        }
    }

    private int fill(LaneCache cache, long step) {
        RankOrder order = RankOrder.sequential(SequentialOrder.of((SequentialFeed) version.feed("valid")), 0, 1);
        ColumnPlan plan = ColumnPlan.of(version.manifest(), order.rows(), ColumnSelection.all(), 0);
        MemorySegment slot = arena.allocate(plan.slotBytes(), 64);
        int tensors = plan.tensors().size();
        return new BatchAssembler(order, cache, plan, pool).fill(step, slot, new SlotSizes(tensors));
    }

    /** Flips a bit of a pixel in the third record batch, the first one of the second file. A second call restores it. */
    private void flip() throws IOException {
        Path file = version.folder().resolve(TestVersion.path("valid", 0, 1));
        long at;
        try (LaneCache cache = version.map("valid", LaneSelection.all())) {
            at = cache.column("pixels").values(CORRUPTED) + 7;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            channel.write(one.put(0, (byte) (one.get(0) ^ 8)).flip(), at);
        }
    }
}
