package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.external.ExternalFiles;
import io.rankfeed.feeder.fixture.ImportedVersion;
import io.rankfeed.feeder.fixture.LibraryDatasets;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** References that a hostile lane has are refused with exit code 3 before a byte is read, unless they are inside of a listed file. */
class DamagedReferenceTest {
    private static final String LIST = "tokens";
    private static final String FIXED = "vector";
    private static final int FIXED_BYTES = 12;

    @TempDir
    private Path dir;

    private final GatherPool pool = new GatherPool(0);
    private ImportedVersion version;
    private OpenOrder opened;
    private byte[] file;
    private int fileNumber;

    @BeforeEach
    void write() throws IOException {
        String name = "huggingface";
        version = ImportedVersion.write(dir, "pets", LibraryDatasets.folder(name), LibraryDatasets.columns(name));
        opened = OpenOrder.of(version.open());
        try (LaneCache cache = opened.map(ImportedVersion.FEED, LaneSelection.all())) {
            MappedColumn sources = cache.column("_source");
            fileNumber = sources.file(0).get(ValueLayout.JAVA_INT_UNALIGNED, sources.values(0));
        }
        file = Files.readAllBytes(
                LibraryDatasets.folder(name).resolve(version.index().files().get(fileNumber)));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - FIXED_BYTES + 1, 1L << 32})
    void offset_ofFixedShape_outsideOfTheFile_isRefused(long offset) throws IOException {
        assertRefused(FIXED, "refers to 12 bytes from byte " + offset + " of data-0000", lie(FIXED, offset));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, ExternalFiles.MAX_MAPPED})
    void lastBytesOfTheFile_areTheLastThatCanBeReferredTo(int maxMapped) throws IOException {
        int last = file.length - FIXED_BYTES;
        lie(FIXED, last);
        assertThat(values(FIXED, maxMapped)).contains(hex(Arrays.copyOfRange(file, last, file.length)));
        assertRefused(FIXED, "which has " + file.length, lie(FIXED, last + 1));

        lie(LIST, file.length - 4, 4);
        assertThat(values(LIST, maxMapped)).contains(hex(Arrays.copyOfRange(file, file.length - 4, file.length)));
        assertRefused(LIST, "which has " + file.length, lie(LIST, file.length - 3, 4));
        lie(LIST, file.length, 0);
        assertThat(values(LIST, maxMapped)).isNotEmpty();
        assertRefused(LIST, "which has " + file.length, lie(LIST, file.length + 1, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 4",
        "0, -1",
        "0, -9223372036854775808",
        "9223372036854775807, 4",
        "-9223372036854775808, 4",
        "4, 9223372036854775807",
        "9223372036854775807, 9223372036854775807"
    })
    void reference_ofVariableShape_outsideOfTheFile_isRefused(long offset, long length) throws IOException {
        assertRefused(LIST, "refers to " + length + " bytes", lie(LIST, offset, length));
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 5, 400})
    void length_thatIsNoRow_isRefused(long length) throws IOException {
        assertRefused(LIST, "refers to " + length + " bytes, not to at most", lie(LIST, 0, length));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 100})
    void number_ofNoFile_isRefused(int number) throws IOException {
        overwrite(FIXED + ".valid", ByteBuffer.wrap(new byte[] {1}));
        overwrite(
                "_source", ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number));
        for (String column : List.of(LIST, FIXED)) {
            assertThatThrownBy(() -> values(column, ExternalFiles.MAX_MAPPED))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("refers to file " + number + " + 0 of "
                            + version.index().files().size());
        }
    }

    private void assertRefused(String column, String words, long at) {
        for (int maxMapped : List.of(0, ExternalFiles.MAX_MAPPED)) {
            assertThatThrownBy(() -> values(column, maxMapped))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("lanes/train/")
                    .hasMessageContaining("byte " + at + ": column '" + column + "': row 0 of the record batch")
                    .hasMessageContaining(words);
        }
    }

    /** Returns the values of all rows of one cycle. */
    private List<String> values(String column, int maxMapped) {
        TrainFeed feed = (TrainFeed) opened.feed(ImportedVersion.FEED);
        RankOrder order = RankOrder.train(feed, 0, 1);
        ColumnPlan plan =
                ColumnPlan.of(opened.columns(), order.rows(), ColumnSelection.of(List.of(ColumnRequest.of(column))), 0);
        List<String> values = new ArrayList<>();
        try (LaneCache cache = opened.map(feed.name(), LaneSelection.all(), maxMapped);
                Arena arena = Arena.ofShared()) {
            MemorySegment slot = arena.allocate(plan.slotBytes(), ColumnPlan.ALIGNMENT_BYTES);
            SlotSizes sizes = new SlotSizes(plan.tensors().size());
            BatchAssembler assembler = new BatchAssembler(order, cache, plan, pool);
            for (long step = 0; step < order.steps(); step++) {
                assembler.fill(step, slot, sizes);
                int row = column.equals(FIXED) ? FIXED_BYTES : 4;
                for (long at = 0; at < sizes.usedBytes(0); at += row) {
                    values.add(hex(slot.asSlice(plan.tensors().get(0).valuesOffset() + at, row)
                            .toArray(ValueLayout.JAVA_BYTE)));
                }
            }
        }
        return values;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Writes the reference of the first row of the first record batch, which then has a value; returns where it is in the file. */
    private long lie(String column, long... reference) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8 * reference.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(reference);
        if (column.equals(FIXED)) {
            overwrite(FIXED + ".valid", ByteBuffer.wrap(new byte[] {1}));
        }
        return overwrite(column, bytes);
    }

    private long overwrite(String column, ByteBuffer bytes) throws IOException {
        try (LaneCache cache = opened.map(ImportedVersion.FEED, LaneSelection.all());
                FileChannel lane = FileChannel.open(cache.file(0), StandardOpenOption.WRITE)) {
            long at = cache.column(column).values(0);
            lane.write(bytes.rewind(), at);
            return at;
        }
    }
}
