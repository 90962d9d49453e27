package io.rankfeed.spark.source.format.avro;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.source.format.FormatDamage;
import io.rankfeed.spark.source.format.ReadFile;
import io.rankfeed.spark.source.format.avro.DrawnAvro.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AvroFormatTest {
    private static final Schema EVERY_TYPE = DrawnAvro.schema(DrawnAvro.FIELDS);
    private static final Schema INT = DrawnAvro.schema("{\"name\": \"n\", \"type\": \"int\"}");

    private final AvroFormat format = new AvroFormat();
    private final DrawnAvro drawn = new DrawnAvro(5);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"null", "deflate", "snappy", "zstandard", "bzip2"})
    void rows_equalThoseThatAvroWrote(String codec) throws IOException {
        Table table = drawn.write(codec, EVERY_TYPE, 20, 0, 7);
        ReadFile read = ReadFile.all(format, write(table.bytes()));
        assertThat(read.stored().rows().orElseThrow()).isEqualTo(27);
        assertThat(read.rows()).isEqualTo(table.rows());
        assertThat(read.stored().columns()).hasSize(EVERY_TYPE.getFields().size());
        assertThat(read.stored().types())
                .doesNotContainKeys("either", "tree")
                .hasSize(EVERY_TYPE.getFields().size() - 2);
    }

    @Test
    void columns_stateTypeAndNullability() throws IOException {
        Path file = write(drawn.write("null", EVERY_TYPE, 0).bytes());
        assertThat(ReadFile.stored(format, file).columns().stream()
                        .map(column -> (column.required() ? "required " : "") + column.name() + ": " + column.type()))
                .contains(
                        "required boolean: boolean",
                        "int: int",
                        "either: union<null, int, string>",
                        "map: map<long>",
                        "required records: array<record<n: int, a: array<float>>>",
                        "tree: record<down: record Tree>",
                        "required local-micros: long local-timestamp-micros",
                        "required fixed decimal: fixed(9) decimal(20, 3)");
    }

    @Test
    void columns_chosen_areReadInThatOrder() throws IOException {
        Table table = drawn.write("null", EVERY_TYPE, 9);
        assertThat(ReadFile.rows(format, write(table.bytes()), List.of("int", "boolean")))
                .isEqualTo(table.rows().stream()
                        .map(row -> Arrays.asList(row.get(1), row.get(0)))
                        .toList());
        assertThat(ReadFile.rows(format, write(table.bytes()), List.of())).hasSize(9);
    }

    @Test
    void schema_longerThanTheFirstRead_isRead() throws IOException {
        Schema schema =
                DrawnAvro.schema("{\"name\": \"n\", \"type\": \"int\", \"doc\": \"" + "d".repeat(300_000) + "\"}");
        assertThat(ReadFile.all(format, write(drawn.write("null", schema, 3).bytes()))
                        .rows())
                .hasSize(3);
    }

    @Test
    void file_contradictingItself_isCorrupted() throws IOException {
        byte[] bytes = drawn.write("null", INT, 3).bytes();
        assertCorrupted(Arrays.copyOf(bytes, bytes.length - 1), "does not fit into the file");
        assertCorrupted(Arrays.copyOf(bytes, bytes.length + 1), "byte " + bytes.length);
        assertCorrupted(new byte[0], "the header");
        assertCorrupted("Obj".getBytes(ISO_8859_1), "the header");
        assertCorrupted("text".getBytes(ISO_8859_1), "not an Avro object container file");
        byte[] otherSync = bytes.clone();
        otherSync[bytes.length - 1]++;
        assertCorrupted(otherSync, "no sync marker after a block");
        // The block is its number of rows, its length, its rows and the sync marker.
        int rows = bytes.length - 16 - contentBytes(bytes) - 2;
        for (int count = 0; count < 7; count++) {
            byte[] other = bytes.clone();
            other[rows] = (byte) (2 * count);
            if (count != 3) {
                assertCorrupted(other, count < 3 ? "bytes after row " + (count - 1) : "row 3, column 'n': a value of");
            }
        }
    }

    private static int contentBytes(byte[] file) {
        for (int length = 3; length < 16; length++) {
            if (file[file.length - 16 - length - 1] == 2 * length && file[file.length - 16 - length - 2] == 6) {
                return length;
            }
        }
        throw new AssertionError("no block of 3 rows");
    }

    @Test
    void checksums_ofSnappy_areCompared() throws IOException {
        byte[] bytes = drawn.write("snappy", INT, 3).bytes();
        bytes[bytes.length - 17]++;
        assertCorrupted(bytes, "the checksum of a block is wrong");
    }

    @Test
    void codecs_other_areUnsupported() throws IOException {
        byte[] bytes = drawn.write("deflate", INT, 3).bytes();
        byte[] renamed =
                new String(bytes, ISO_8859_1).replace("deflate", "squeeze").getBytes(ISO_8859_1);
        assertThatThrownBy(() -> ReadFile.all(format, write(renamed)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("table.avro: codec 'squeeze' is not supported, only null, deflate, snappy");
    }

    @Test
    void blocks_decompressingToTooMuch_areRefused() throws IOException {
        Schema bytes = DrawnAvro.schema("{\"name\": \"b\", \"type\": \"bytes\"}");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(bytes))) {
            writer.setCodec(CodecFactory.zstandardCodec(1));
            writer.create(bytes, out);
            // The length of the value, then zeros: what Avro's writer would make of a row.
            writer.appendEncoded(java.nio.ByteBuffer.allocate(AvroCodec.MAX_BLOCK_BYTES + 1));
        }
        assertThatThrownBy(() -> ReadFile.all(format, write(out.toByteArray())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a block of more than 268435456 bytes");
    }

    @Test
    void schema_otherThanRecord_isRefused() throws IOException {
        Schema schema = Schema.create(Schema.Type.STRING);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.create(schema, out).append("a");
        }
        assertThatThrownBy(() -> ReadFile.all(format, write(out.toByteArray())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("its values are of type string, only records are rows");
    }

    @Test
    void file_thatCannotBeOpened_isAnEnvironmentError() {
        String absent = folder.resolve("absent").toUri().toString();
        assertThatThrownBy(() -> format.rows(absent, List.of(), new Configuration()))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("absent");
    }

    @Test
    void file_damaged_givesRowsOrAMessage() throws IOException {
        damaged(10, 12);
    }

    @Test
    @Tag("nightly")
    void manyFiles_damaged_giveRowsOrAMessage() throws IOException {
        damaged(1_000_000, 600);
    }

    private void damaged(long seed, int changes) throws IOException {
        for (String codec : List.of("null", "deflate", "snappy", "zstandard", "bzip2")) {
            byte[] sound = drawn.write(codec, EVERY_TYPE, 12, 4).bytes();
            assertThat(FormatDamage.read(format, sound, folder.resolve("damaged"), seed, changes))
                    .as(codec)
                    .containsKey("refused");
        }
    }

    private void assertCorrupted(byte[] bytes, String what) {
        assertThatThrownBy(() -> ReadFile.all(format, write(bytes)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContainingAll("table.avro", what);
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("table.avro"), bytes);
    }
}
