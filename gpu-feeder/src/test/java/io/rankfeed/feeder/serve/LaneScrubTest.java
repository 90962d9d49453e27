package io.rankfeed.feeder.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.serve.admission.BatchSource;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
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
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flips a bit in a lane after all record batches were verified and served. */
class LaneScrubTest {
    private static final int LANES = 3;
    private static final int ROWS = 300;
    private static final int BATCH = 30;
    private static final int STEPS = ROWS / BATCH;
    private static final int BATCH_ROWS = 10;

    @TempDir
    private Path dir;

    /** The epoch in which the bit flips already has its pass: at the latest that of the next one finds it. */
    @ParameterizedTest
    @EnumSource(names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void bit_flipped_isFoundInNextEpoch(Verification when) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        OpenVersion version = version();
        VersionCatalog catalog =
                new VersionCatalog(OpenOrder.of(version), LaneSelection.all(), new GatherPool(1), 0, line -> {});
        catalog.map(Set.of("valid"), when);
        List<BatchSource> ranks = List.of(open(catalog, 0), open(catalog, 1), open(catalog, 2));
        for (BatchSource rank : ranks) {
            for (int step = 0; step < STEPS; step++) {
                assertThat(fill(rank, step)).isEmpty();
            }
        }

        int lane = random.nextInt(LANES);
        int batch = random.nextInt(ROWS / LANES / BATCH_ROWS);
        Path file = version.folder().resolve(TestVersion.path("valid", lane, 0));
        flip(version, file, lane, batch, random);
        BatchSource reader = ranks.get(lane);
        ServedRun.until("the flipped bit is reported", () -> !fill(reader, 0).isEmpty());

        for (int step = 0; step < STEPS; step++) {
            assertThat(fill(reader, step)).contains(file.toString()).contains("record batch " + batch + " (to byte ");
            assertThat(fill(ranks.get((lane + 1) % LANES), step)).isEmpty();
        }
    }

    private OpenVersion version() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(new Field("pixels", DType.UINT8, Shape.of(500), false)));
        Order order = new Order(
                "random",
                TestVersion.PLAN_ID,
                Optional.of(new Order.Storage(BATCH_ROWS, ROWS)),
                List.of(new SequentialFeed("valid", LANES, BATCH, ROWS, STEPS)));
        return OpenVersion.open(
                TestVersion.write(dir, order, new RowValues(schema, 1, 6)).folder());
    }

    private static BatchSource open(VersionCatalog catalog, int rank) {
        return catalog.open("valid", rank, LANES, ColumnSelection.all());
    }

    /** Returns the message if the batch cannot be filled, else an empty text. */
    private static String fill(BatchSource source, long step) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment slot = arena.allocate(source.slotBytes(), 64);
            source.fill(step, slot, new SlotSizes(source.tensors().size()));
            return "";
        } catch (CorruptDataException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void flip(OpenVersion version, Path file, int lane, int batch, Random random) throws IOException {
        long at;
        try (LaneCache cache = version.map("valid", LaneSelection.all())) {
            at = cache.column("pixels").values(cache.firstBlock(0, lane) + batch) + random.nextInt(500 * BATCH_ROWS);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            channel.write(
                    one.put(0, (byte) (one.get(0) ^ 1 << random.nextInt(8))).flip(), at);
        }
    }
}
