package io.rankfeed.spark.source.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.LocalSpark;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Files that a Parquet writer with an error makes, as in Apache's parquet-testing: file, column and reason in plain words. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenParquetIT {
    private static final MessageType LISTS = MessageTypeParser.parseMessageType("""
            message m { optional group x (LIST) { repeated group list { optional int32 element; } } }""");
    private static final MessageType TEXTS =
            MessageTypeParser.parseMessageType("message m { optional binary x (JSON); }");
    private static final int ROWS = 40;

    private SparkSession spark;

    @TempDir
    private Path folder;

    @BeforeAll
    void start() {
        spark = LocalSpark.session(1);
    }

    /** ARROW-GH-45185 and other flips of a repetition level: a list that begins nowhere, or a row more or less. */
    @Test
    void repetitionLevels_broken_areRefused() throws IOException {
        for (WriterVersion version : WriterVersion.values()) {
            byte[] sound = written(LISTS, version);
            assertThat(read(sound).failure()).isNull();
            int levels = pageStart(sound) + (version == WriterVersion.PARQUET_1_0 ? Integer.BYTES : 0);
            // A bit-packed run of eight or more values, after one byte with its length.
            assertThat(sound[levels] & 1).isEqualTo(1);
            for (int value : new int[] {0, 1, 3, 6, 13}) {
                byte[] broken = sound.clone();
                broken[levels + 1 + value / 8] ^= (byte) (1 << value % 8);
                RuntimeException failure = read(broken).failure();
                assertThat(failure)
                        .as(version + ", level " + value)
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("broken.parquet: column x.list.element: ")
                        .hasMessageContaining("repetition level");
            }
        }
    }

    /** unknown-logical-type: field 9 of the union has no meaning yet. */
    @Test
    void logicalType_unknown_isUnsupported() throws IOException {
        byte[] bytes = written(TEXTS, WriterVersion.PARQUET_1_0);
        byte[] json = {(byte) 0xCC, 0, 0};
        int at = 0;
        int found = 0;
        for (int i = footerStart(bytes); i < bytes.length - json.length; i++) {
            if (Arrays.equals(bytes, i, i + json.length, json, 0, json.length)) {
                at = i;
                found++;
            }
        }
        assertThat(found).isEqualTo(1);
        bytes[at] = (byte) 0x9C;
        assertThat(read(bytes).failure())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("broken.parquet: unsupported Parquet in column 'x': a logical type")
                .hasMessageNotContaining("org.apache");
    }

    /** nation.dict-malformed, and a header that would have a reader allocate 2 GB. */
    @Test
    void page_largerThanItsColumnChunk_isRefused() throws IOException {
        byte[] sound = written(TEXTS, WriterVersion.PARQUET_1_0);
        for (Consumer<PageHeader> change : List.<Consumer<PageHeader>>of(
                header -> header.setUncompressed_page_size(Integer.MAX_VALUE),
                header -> header.setCompressed_page_size(Integer.MAX_VALUE),
                header -> header.setCompressed_page_size(header.getCompressed_page_size() + 1000))) {
            assertThat(read(withHeader(sound, change)).failure())
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("broken.parquet, byte 4: column x: the page here declares ");
        }
        assertThat(read(withHeader(sound, header -> {})).rows()).hasSize(ROWS);
    }

    private SourceRead read(byte[] bytes) throws IOException {
        Path file = folder.resolve("broken.parquet");
        Files.write(file, bytes);
        return SourceRead.of(spark, "{parquet: '" + file + "'}");
    }

    /** One column, one page. */
    private byte[] written(MessageType type, WriterVersion version) throws IOException {
        Path file = folder.resolve(version + ".parquet");
        Files.deleteIfExists(file);
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
                .withConf(new Configuration())
                .withType(type)
                .withWriterVersion(version)
                .withDictionaryEncoding(false)
                .withPageWriteChecksumEnabled(false)
                .build()) {
            SimpleGroupFactory groups = new SimpleGroupFactory(type);
            for (int i = 0; i < ROWS; i++) {
                Group row = groups.newGroup();
                if (type.equals(TEXTS)) {
                    row.append("x", "\"" + i + "\"");
                } else {
                    Group list = row.addGroup("x");
                    for (int j = 0; j < 2 + i % 2; j++) {
                        list.addGroup("list").append("element", i * j);
                    }
                }
                writer.write(row);
            }
        }
        return Files.readAllBytes(file);
    }

    private static byte[] withHeader(byte[] sound, Consumer<PageHeader> change) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(sound, 4, sound.length - 4);
        PageHeader header = Util.readPageHeader(in);
        int oldBytes = sound.length - 4 - in.available();
        change.accept(header);
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        Util.writePageHeader(header, changed);
        int footer = footerStart(sound);
        FileMetaData metadata =
                Util.readFileMetaData(new ByteArrayInputStream(sound, footer, sound.length - 8 - footer));
        ColumnMetaData column =
                metadata.getRow_groups().get(0).getColumns().get(0).getMeta_data();
        column.setTotal_compressed_size(column.getTotal_compressed_size() + changed.size() - oldBytes);
        ByteArrayOutputStream ending = new ByteArrayOutputStream();
        Util.writeFileMetaData(metadata, ending);
        ByteBuffer out = ByteBuffer.allocate(footer + changed.size() - oldBytes + ending.size() + 8)
                .order(ByteOrder.LITTLE_ENDIAN);
        out.put(sound, 0, 4).put(changed.toByteArray()).put(sound, 4 + oldBytes, footer - 4 - oldBytes);
        out.put(ending.toByteArray()).putInt(ending.size()).put(sound, 0, 4);
        return out.array();
    }

    private static int pageStart(byte[] bytes) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(bytes, 4, bytes.length - 4);
        Util.readPageHeader(in);
        return bytes.length - in.available();
    }

    private static int footerStart(byte[] bytes) {
        return bytes.length
                - 8
                - ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
    }
}
