package io.rankfeed.spark.source.format.arrow;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.flatbuffers.FlatBufferBuilder;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.source.format.FormatDamage;
import io.rankfeed.spark.source.format.ReadFile;
import io.rankfeed.spark.source.format.StoredFile;
import io.rankfeed.spark.source.format.arrow.DrawnArrow.Form;
import io.rankfeed.spark.source.format.arrow.DrawnArrow.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowFooter;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.BlockSize;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrowFormatTest {
    private static final Form STREAM = new Form(false, CodecType.NO_COMPRESSION);
    /** From the end of a stream: the padded value and the end-of-stream marker. */
    private static final int LAST_VALUE = 16;

    private static final ArrowType INT = new ArrowType.Int(32, true);

    private final ArrowFormat format = new ArrowFormat();
    private final DrawnArrow drawn = new DrawnArrow(5);

    @TempDir
    Path folder;

    @AfterEach
    void freeMemory() {
        drawn.close();
    }

    @Test
    void rows_equalThoseThatArrowWrote() throws IOException {
        for (Form form : Form.all()) {
            Table table = drawn.write(form, DrawnArrow.everyType(), 20, 0, 7);
            ReadFile read = ReadFile.all(format, write(table.bytes()));
            assertThat(read.stored().types()).as("%s", form).hasSameSizeAs(DrawnArrow.everyType());
            assertThat(read.stored().rows().orElseThrow()).isEqualTo(27);
            assertThat(read.rows()).as("%s", form).isEqualTo(table.rows());
        }
    }

    @Test
    void columns_chosen_areReadInThatOrder() throws IOException {
        Table table = drawn.write(STREAM, DrawnArrow.everyType(), 9);
        List<String> names = DrawnArrow.everyType().stream().map(Field::getName).toList();
        int map = names.indexOf("map");
        int city = names.indexOf("city");
        assertThat(ReadFile.rows(format, write(table.bytes()), List.of("city", "int8", "map")))
                .isEqualTo(table.rows().stream()
                        .map(row -> Arrays.asList(row.get(city), row.get(0), row.get(map)))
                        .toList());
        assertThat(ReadFile.rows(format, write(table.bytes()), List.of())).hasSize(9);
    }

    @Test
    void columns_ofOtherTypesOrSameName_haveNoType() throws IOException {
        List<Field> fields = List.of(
                DrawnArrow.field("twice", INT),
                DrawnArrow.field("time", new ArrowType.Time(TimeUnit.SECOND, 32)),
                DrawnArrow.field(
                        "list",
                        ArrowType.List.INSTANCE,
                        DrawnArrow.field(
                                "item", new ArrowType.Date(org.apache.arrow.vector.types.DateUnit.MILLISECOND))),
                DrawnArrow.field("twice", INT),
                DrawnArrow.field("n", INT));
        StoredFile stored =
                ReadFile.stored(format, write(drawn.write(STREAM, fields, 0).bytes()));
        assertThat(stored.types()).containsOnlyKeys("n");
        assertThat(stored.columns().stream().map(column -> column.name() + " " + column.type()))
                .containsExactly("twice int32", "time time", "list list<date64>", "twice int32", "n int32");
    }

    @Test
    void nanoseconds_notWholeMicroseconds_areRefused() throws IOException {
        byte[] bytes = drawn.write(
                        STREAM, List.of(nonNull("t", new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC"))), 2)
                .bytes();
        bytes[bytes.length - LAST_VALUE]++;
        assertThatThrownBy(() -> ReadFile.all(format, write(bytes)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("row 1, column 't': timestamp of ")
                .hasMessageContaining("is not a whole number of microseconds");
    }

    @Test
    void stream_withoutEnd_isTruncated() throws IOException {
        byte[] bytes = drawn.write(STREAM, DrawnArrow.everyType(), 5, 5).bytes();
        assertCorrupted(Arrays.copyOf(bytes, bytes.length - 8), "no end-of-stream marker");
        assertCorrupted(Arrays.copyOf(bytes, bytes.length + 8), "8 bytes after the end-of-stream marker");
        assertCorrupted(new byte[0], "no end-of-stream marker");
        assertCorrupted("text that is long enough".getBytes(US_ASCII), "not an Arrow IPC file or stream");
        assertCorrupted("ARROW1".getBytes(US_ASCII), "truncated");
    }

    @Test
    void footer_otherThanMessages_isRefused() throws IOException {
        Form file = new Form(true, CodecType.NO_COMPRESSION);
        byte[] two =
                drawn.write(file, List.of(DrawnArrow.field("n", INT)), 5, 5).bytes();
        byte[] one = drawn.write(file, List.of(DrawnArrow.field("n", INT)), 5).bytes();
        int footer = one.length - 10 - footerBytes(one);
        int messages = two.length - 10 - footerBytes(two);
        byte[] joined = Arrays.copyOf(two, messages + one.length - footer);
        System.arraycopy(one, footer, joined, messages, one.length - footer);
        assertCorrupted(joined, "the footer lists 1 record batches that are not the 2 in the file");
    }

    /** As Polars writes them. */
    @Test
    void file_withoutSchemaBeforeBatches_isRead() throws IOException {
        for (int[] batches : new int[][] {{}, {0}, {5, 3}}) {
            Table table = drawn.write(new Form(true, CodecType.LZ4_FRAME), DrawnArrow.everyType(), batches);
            byte[] bytes = table.bytes();
            Arrays.fill(bytes, 8, 16 + IpcFile.little(bytes).getInt(12), (byte) 0);
            assertThat(ReadFile.all(format, write(bytes)).rows()).isEqualTo(table.rows());
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void lz4Blocks_referringToEarlierOnes_areRead(boolean areLinked, boolean areChecked) throws IOException {
        byte[] content = new byte[300_000];
        new Random(5).nextBytes(content);
        for (int i = 0; i < content.length; i++) {
            content[i] = i < 100_000 ? (byte) (i % 7) : i < 200_000 ? content[i] : content[i - 40_000];
        }
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (OutputStream out = new FramedLZ4CompressorOutputStream(
                frame,
                new FramedLZ4CompressorOutputStream.Parameters(BlockSize.K64, areChecked, areChecked, areLinked))) {
            out.write(content);
        }
        ByteBuffer stored = ByteBuffer.allocate(Long.BYTES + frame.size()).order(ByteOrder.LITTLE_ENDIAN);
        stored.putLong(content.length).put(frame.toByteArray()).flip();
        assertThat(BufferCodec.decompressed(CompressionType.LZ4_FRAME, stored, "f"))
                .isEqualTo(ByteBuffer.wrap(content));
        stored.putLong(0, content.length + 1).rewind();
        assertThatThrownBy(() -> BufferCodec.decompressed(CompressionType.LZ4_FRAME, stored, "f"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a buffer has another length than it states");
        stored.putLong(0, 1 << 30).rewind();
        assertThatThrownBy(() -> BufferCodec.decompressed(CompressionType.LZ4_FRAME, stored, "f"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more bytes than LZ4 can make");
    }

    private static int footerBytes(byte[] file) {
        return IpcFile.little(file).getInt(file.length - 10);
    }

    @Test
    void nulls_inNonNullableColumns_areDamage() throws IOException {
        byte[] nullable =
                drawn.write(STREAM, List.of(DrawnArrow.field("n", INT)), 50).bytes();
        byte[] required = drawn.write(STREAM, List.of(nonNull("n", INT)), 0).bytes();
        // The schema of one file before the record batch of the other.
        int schema = required.length - 8 - batchBytes(required);
        byte[] joined = Arrays.copyOf(required, schema + nullable.length - headBytes(nullable));
        System.arraycopy(nullable, headBytes(nullable), joined, schema, nullable.length - headBytes(nullable));
        assertCorrupted(joined, "column 'n': null in a column that is not nullable");
    }

    private static int headBytes(byte[] stream) {
        return 8 + IpcFile.little(stream).getInt(4);
    }

    private static int batchBytes(byte[] stream) {
        return stream.length - 8 - headBytes(stream);
    }

    @Test
    void dictionary_withoutValueOfAnIndex_isRefused() throws IOException {
        Field city = new Field("city", new FieldType(false, DrawnArrow.CITIES.getIndexType(), DrawnArrow.CITIES), null);
        byte[] bytes = drawn.write(STREAM, List.of(city), 1).bytes();
        bytes[bytes.length - LAST_VALUE] = 3;
        assertCorrupted(bytes, "row 0, column 'city': index 3 of a dictionary of 3 values");
    }

    @Test
    void dictionary_secondOfAColumnInAFile_isDamage() throws IOException {
        Field city = new Field("city", new FieldType(false, DrawnArrow.CITIES.getIndexType(), DrawnArrow.CITIES), null);
        byte[] bytes = drawn.write(new Form(true, CodecType.NO_COMPRESSION), List.of(city), 4)
                .bytes();
        int footerStart = bytes.length - 10 - footerBytes(bytes);
        ArrowFooter footer = new ArrowFooter(
                Footer.getRootAsFooter(ByteBuffer.wrap(Arrays.copyOfRange(bytes, footerStart, bytes.length - 10))));
        ArrowBlock first = footer.getDictionaries().get(0);
        int start = (int) first.getOffset();
        int length = first.getMetadataLength() + (int) first.getBodyLength();
        ArrowBlock second =
                new ArrowBlock(first.getOffset() + length, first.getMetadataLength(), first.getBodyLength());
        List<ArrowBlock> batches = footer.getRecordBatches().stream()
                .map(batch ->
                        new ArrowBlock(batch.getOffset() + length, batch.getMetadataLength(), batch.getBodyLength()))
                .toList();
        FlatBufferBuilder builder = new FlatBufferBuilder();
        builder.finish(new ArrowFooter(footer.getSchema(), List.of(first, second), batches).writeTo(builder));
        byte[] twice = builder.sizedByteArray();
        ByteBuffer joined = ByteBuffer.allocate(footerStart + length + twice.length + 10)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes, 0, start + length)
                .put(bytes, start, footerStart - start)
                .put(twice)
                .putInt(twice.length)
                .put("ARROW1".getBytes(US_ASCII));
        assertThat(ReadFile.all(format, write(bytes)).rows()).hasSize(4);
        assertCorrupted(joined.array(), "a second dictionary for one column, which only streams may have");
    }

    @Test
    void file_thatCannotBeOpened_isAnEnvironmentError() {
        assertThatThrownBy(() -> format.rows(
                        folder.resolve("absent").toUri().toString(),
                        List.of(),
                        new org.apache.hadoop.conf.Configuration()))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("absent");
    }

    @Test
    void feather_ofVersionOne_isUnsupported() {
        assertThatThrownBy(() -> ReadFile.all(format, write("FEA1....".getBytes(US_ASCII))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Feather version 1");
    }

    @Test
    void halfFloats_areExact() {
        assertThat(FixedValues.half((short) 0x3c00)).isEqualTo(1f);
        assertThat(FixedValues.half((short) 0xc000)).isEqualTo(-2f);
        assertThat(FixedValues.half((short) 0x0001)).isEqualTo(0x1p-24f);
        assertThat(FixedValues.half((short) 0x7bff)).isEqualTo(65504f);
        assertThat(FixedValues.half((short) 0xfc00)).isEqualTo(Float.NEGATIVE_INFINITY);
        assertThat(FixedValues.half((short) 0x7e00)).isNaN();
        assertThat(Float.floatToIntBits(FixedValues.half((short) 0x8000))).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void file_damaged_givesRowsOrAMessage() throws IOException {
        damaged(10, 10);
    }

    @Test
    @Tag("nightly")
    void manyFiles_damaged_giveRowsOrAMessage() throws IOException {
        damaged(1_000_000, 500);
    }

    private void damaged(long seed, int changes) throws IOException {
        for (Form form : Form.all()) {
            byte[] sound = drawn.write(form, DrawnArrow.everyType(), 12, 4).bytes();
            assertThat(FormatDamage.read(format, sound, folder.resolve("damaged"), seed, changes))
                    .as("%s", form)
                    .containsKey("refused");
        }
    }

    private void assertCorrupted(byte[] bytes, String what) {
        assertThatThrownBy(() -> ReadFile.all(format, write(bytes)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("table.arrow")
                .hasMessageContaining(what);
    }

    private static Field nonNull(String name, ArrowType type) {
        return new Field(name, FieldType.notNullable(type), null);
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("table.arrow"), bytes);
    }
}
