package io.rankfeed.spark.source.format.tfrecord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.source.format.FormatDamage;
import io.rankfeed.spark.source.format.ReadFile;
import io.rankfeed.spark.source.format.RowFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that this test writes; those of the library are in {@code PeerFilesTest}. */
class TfRecordFormatTest {
    private static final List<String> COLUMNS = List.of("n", "ids", "x", "image", "tags", "late");
    private static final StructType LISTS = new StructType()
            .add("ids", DataTypes.createArrayType(DataTypes.LongType))
            .add("tags", DataTypes.createArrayType(DataTypes.BinaryType));

    private final RowFormat format = new TfRecordFormat().reading(LISTS);

    @TempDir
    Path folder;

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long rest = value;
        for (; rest >>> 7 != 0; rest >>>= 7) {
            out.write((int) ((rest & 0x7f) | 0x80));
        }
        out.write((int) rest);
        return out.toByteArray();
    }

    private static byte[] member(int number, byte[]... content) {
        byte[] all = joined(content);
        return joined(varint(number << 3 | 2), varint(all.length), all);
    }

    private static byte[] entry(String name, byte[]... feature) {
        return member(1, member(1, name.getBytes(UTF_8)), member(2, feature));
    }

    private static byte[] ints(long... values) {
        return member(
                3,
                member(
                        1,
                        Arrays.stream(values)
                                .mapToObj(TfRecordFormatTest::varint)
                                .toArray(byte[][]::new)));
    }

    private static byte[] bytes(String... values) {
        return member(
                1,
                Arrays.stream(values)
                        .map(value -> member(1, value.getBytes(UTF_8)))
                        .toArray(byte[][]::new));
    }

    private static byte[] example(byte[]... entries) {
        return member(1, entries);
    }

    private static int masked(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        int value = (int) crc.getValue();
        return (value >>> 15 | value << 17) + 0xa282ead8;
    }

    private static byte[] little(int bytes, long value) {
        return Arrays.copyOf(
                ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array(),
                bytes);
    }

    private static byte[] record(byte[] content) {
        byte[] length = little(8, content.length);
        return joined(length, little(4, masked(length)), content, little(4, masked(content)));
    }

    private static byte[] table() {
        byte[] half = little(4, Float.floatToIntBits(0.5f));
        return joined(
                record(example(
                        entry("n", ints(-1)),
                        entry("ids", ints(1, 300)),
                        entry("x", member(2, member(1, half))),
                        entry("image", bytes("é")))),
                // Numbers that are not packed, as old writers store them; a feature without a list; an unknown member.
                record(joined(
                        example(
                                entry("n", member(3, joined(new byte[] {8}, varint(Long.MIN_VALUE)))),
                                entry("ids", ints()),
                                entry("x", member(2, joined(new byte[] {13}, half))),
                                entry("image"),
                                entry("tags", bytes("a", ""))),
                        member(9, new byte[3]))),
                record(example(entry("ids", ints(5)), entry("tags", bytes("b")), entry("late", bytes("l")))));
    }

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    @Test
    void examples_areRows() throws IOException {
        Path file = write("a.tfrecord", table());
        assertThat(ReadFile.stored(format, file).rows()).hasValue(3);
        assertThat(ReadFile.stored(format, file).types().get("n").sql()).isEqualTo("BIGINT");
        assertThat(ReadFile.stored(format, file).types().get("x").sql()).isEqualTo("FLOAT");
        assertThat(ReadFile.stored(format, file).types().get("image").sql()).isEqualTo("BINARY");
        assertThat(ReadFile.stored(format, file).types().get("ids").sql()).isEqualTo("ARRAY<BIGINT>");
        assertThat(ReadFile.stored(format, file).types().get("tags").sql()).isEqualTo("ARRAY<BINARY>");
        assertThat(ReadFile.rows(format, file, COLUMNS))
                .containsExactly(
                        Arrays.asList(-1L, List.of(1L, 300L), 0.5f, "c3a9", null, null),
                        Arrays.asList(Long.MIN_VALUE, List.of(), 0.5f, null, List.of("61", ""), null),
                        Arrays.asList(null, List.of(5L), null, null, List.of("62"), "6c"));
    }

    @Test
    void gzip_isRead_otherCompressionsAreRefused() throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(table());
        }
        assertThat(ReadFile.rows(format, write("a.tfrecord.gz", zipped.toByteArray()), COLUMNS))
                .hasSize(3);
        assertRefused(zipped.toByteArray(), ConfigException.class, "is compressed: rename a gzip file to end in .gz");
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(deflated)) {
            out.write(table());
        }
        assertRefused(deflated.toByteArray(), ConfigException.class, "write a zlib file again without compression");
    }

    /** The vector of the format's description. */
    @Test
    void checksums_areThoseOfTheFormat() {
        byte[] hello = HexFormat.of().parseHex("0500000000000000eab2043e68656c6c6fbb1f1c19");
        assertThat(record("hello".getBytes(UTF_8))).isEqualTo(hello);
        assertRefused(hello, CorruptDataException.class, "byte 12: record 0: a member");
    }

    @Test
    void checksums_thatDoNotMatch_areCorrupted() {
        byte[] table = table();
        byte[] length = table.clone();
        length[9]++;
        assertRefused(
                length, CorruptDataException.class, "byte 0: the checksum of the length of record 0 does not match");
        byte[] last = table.clone();
        last[table.length - 1]++;
        assertRefused(last, CorruptDataException.class, "the checksum of record 2 does not match");
        byte[] value = table.clone();
        value[20] ^= 1;
        assertRefused(value, CorruptDataException.class, "byte 12: the checksum of record 0 does not match");
    }

    @Test
    void lengths_beyondTheFile_areCorrupted() {
        byte[] table = table();
        assertRefused(Arrays.copyOf(table, table.length - 1), CorruptDataException.class, "does not fit into the file");
        assertRefused(Arrays.copyOf(table, 5), CorruptDataException.class, "the length of record 0");
        for (long stated : new long[] {-1, Long.MAX_VALUE, Integer.MAX_VALUE}) {
            byte[] length = little(8, stated);
            assertRefused(
                    joined(length, little(4, masked(length)), new byte[20]),
                    CorruptDataException.class,
                    "byte 12: record 0 of " + stated + " bytes does not fit into the file");
        }
    }

    @Test
    void features_ofTwoKinds_haveNoTypeInSpark() throws IOException {
        byte[] bytes = joined(record(example(entry("v", ints(1)))), record(example(entry("v", bytes("a")))));
        assertThat(ReadFile.stored(format, write("a.tfrecord", bytes)).types()).isEmpty();
        assertThat(ReadFile.stored(format, write("a.tfrecord", bytes))
                        .columns()
                        .get(0)
                        .type())
                .isEqualTo("bytes and int64");
    }

    @Test
    void sequenceExamples_areRefused() {
        byte[] sequence = record(joined(example(entry("n", ints(1))), member(2, member(1, new byte[0]))));
        assertRefused(sequence, ConfigException.class, "record 0: a SequenceExample; write tf.train.Example");
    }

    @Test
    void features_thatAreInvalid_areCorrupted() {
        byte[] cut = member(3, joined(new byte[] {10, 100}));
        assertRefused(
                record(example(entry("n", cut))),
                CorruptDataException.class,
                "byte 12: record 0, feature 'n': a member of 100 bytes, 0 are left");
        assertRefused(
                record(example(member(1, member(1, new byte[] {(byte) 0xff})))),
                CorruptDataException.class,
                "record 0: invalid UTF-8");
    }

    @Test
    void file_damaged_givesRowsOrAMessage() throws IOException {
        assertThat(FormatDamage.read(format, table(), folder.resolve("damaged.tfrecord"), 30, 40))
                .containsKey("refused");
    }

    @Test
    @Tag("nightly")
    void manyFiles_damaged_giveRowsOrAMessage() throws IOException {
        assertThat(FormatDamage.read(format, table(), folder.resolve("damaged.tfrecord"), 3_000_000, 3000))
                .containsKey("refused");
    }

    private void assertRefused(byte[] bytes, Class<? extends RankfeedException> type, String what) {
        assertThatThrownBy(() -> ReadFile.all(format, write("a.tfrecord", bytes)))
                .isInstanceOf(type)
                .hasMessageContainingAll("a.tfrecord", what);
    }
}
