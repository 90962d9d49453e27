package io.rankfeed.spark.engine.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Damage that changes no length, where no checksum covers it: 400 rows with three numbers each, in four row groups. */
class DamagedChosenFileTest {
    private static final int ROWS = 400;
    private static final int GROUP_ROWS = 100;
    private static final MessageType TYPE = MessageTypeParser.parseMessageType("""
            message m {
              required int64 n;
              required group numbers (LIST) { repeated group list { required int32 element; } }
            }""");
    private static final StructType COLUMNS = StructType.fromDDL("n BIGINT, numbers ARRAY<INT>");
    private static final Configuration CONF = new Configuration();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "PARQUET_1_0, true, 40",
        "PARQUET_1_0, false, 40",
        "PARQUET_2_0, true, 40",
        "PARQUET_2_0, false, 40",
        "PARQUET_1_0, true, 100",
        "PARQUET_2_0, true, 100",
    })
    void level_changed_isRefused(WriterVersion version, boolean hasPageIndex, int chosen) throws IOException {
        Path file = file(version, false);
        long[] rows = LongStream.range(GROUP_ROWS, GROUP_ROWS + chosen).toArray();
        Path read = hasPageIndex ? file : folder.resolve("without");
        OtherFooter.copy(file, folder.resolve("without"), OtherFooter::withoutPageIndex);
        check(read, rows);

        byte[] bytes = Files.readAllBytes(read);
        int page = firstPage(file, 1);
        ByteArrayInputStream header = new ByteArrayInputStream(bytes, page, bytes.length - page);
        Util.readPageHeader(header);
        int levels = bytes.length - header.available() + (version == WriterVersion.PARQUET_1_0 ? Integer.BYTES : 0);
        // A run of eight levels a byte, from the lowest bit: 0 1 1 0 1 1 0 1. The second row becomes a part of the
        // first.
        assertThat(bytes[levels] & 1).isEqualTo(1);
        assertThat(bytes[levels + 1]).isEqualTo((byte) 0b10110110);
        bytes[levels + 1] |= 0b1000;
        Files.write(read, bytes);
        assertThatThrownBy(() -> check(read, rows))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(read.getFileName().toString())
                .hasMessageContaining("column numbers.list.element: its repetition levels start");
    }

    /** Reads rows of the second page of a row group, whose index says that it begins one row later. */
    @ParameterizedTest
    @CsvSource({"PARQUET_1_0, true", "PARQUET_1_0, false", "PARQUET_2_0, true", "PARQUET_2_0, false"})
    void firstRowOfPage_changed_isRefused(WriterVersion version, boolean checksums) throws IOException {
        Path file = file(version, checksums);
        for (int column = 0; column < 2; column++) {
            Path changed = folder.resolve("changed-" + column);
            byte[] bytes = Files.readAllBytes(file);
            ColumnChunkMetaData chunk = block(file, 1).getColumns().get(column);
            IndexReference at = chunk.getOffsetIndexReference();
            int offset = (int) at.getOffset();
            org.apache.parquet.format.OffsetIndex index =
                    Util.readOffsetIndex(new ByteArrayInputStream(bytes, offset, at.getLength()));
            index.getPage_locations().get(1).setFirst_row_index(51);
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            Util.writeOffsetIndex(index, written);
            assertThat(written.size()).isEqualTo(at.getLength());
            System.arraycopy(written.toByteArray(), 0, bytes, offset, at.getLength());
            Files.write(changed, bytes);
            assertThatThrownBy(() -> check(changed, new long[] {160, 170, 180}))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("column " + (column == 0 ? "n" : "numbers.list.element"));
        }
    }

    @Test
    void offsetIndexesOfTwoRowGroups_exchanged_changeNoValue() throws IOException {
        Path file = file(WriterVersion.PARQUET_1_0, false);
        Path exchanged = folder.resolve("exchanged");
        OtherFooter.copy(file, exchanged, footer -> {
            ColumnChunk one = footer.getRow_groups().get(1).getColumns().get(1);
            ColumnChunk other = footer.getRow_groups().get(2).getColumns().get(1);
            long offset = one.getOffset_index_offset();
            int length = one.getOffset_index_length();
            one.setOffset_index_offset(other.getOffset_index_offset());
            one.setOffset_index_length(other.getOffset_index_length());
            other.setOffset_index_offset(offset);
            other.setOffset_index_length(length);
        });
        check(exchanged, new long[] {3, 110, 140, 205, 290, 399});
    }

    private static void check(Path file, long[] rows) {
        try (ChosenFile chosen = new ChosenFile(
                file.toString(), rows, COLUMNS, ChosenFile.Values.ANY, new int[2], group -> false, CONF)) {
            for (long n : rows) {
                InternalRow row = chosen.next();
                assertThat(row.getLong(0)).isEqualTo(n);
                assertThat(row.getArray(1).toIntArray())
                        .containsExactly((int) (3 * n), (int) (3 * n + 1), (int) (3 * n + 2));
            }
        }
    }

    private static BlockMetaData block(Path file, int group) throws IOException {
        try (ParquetFileReader reader = open(file)) {
            return reader.getRowGroups().get(group);
        }
    }

    private static int firstPage(Path file, int group) throws IOException {
        try (ParquetFileReader reader = open(file)) {
            ColumnChunkMetaData chunk =
                    reader.getRowGroups().get(group).getColumns().get(1);
            return (int) reader.readOffsetIndex(chunk).getOffset(0);
        }
    }

    private static ParquetFileReader open(Path file) throws IOException {
        return ParquetFileReader.open(HadoopInputFile.fromPath(new org.apache.hadoop.fs.Path(file.toUri()), CONF));
    }

    private Path file(WriterVersion version, boolean checksums) throws IOException {
        Path file = folder.resolve(version + "-" + checksums + ".parquet");
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(
                        HadoopOutputFile.fromPath(new org.apache.hadoop.fs.Path(file.toUri()), CONF))
                .withType(TYPE)
                .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                .withRowGroupRowCountLimit(GROUP_ROWS)
                .withPageRowCountLimit(50)
                .withMinRowCountForPageSizeCheck(1)
                .withWriterVersion(version)
                .withPageWriteChecksumEnabled(checksums)
                .build()) {
            SimpleGroupFactory groups = new SimpleGroupFactory(TYPE);
            for (int n = 0; n < ROWS; n++) {
                Group row = groups.newGroup().append("n", (long) n);
                Group numbers = row.addGroup("numbers");
                List<Integer> three = IntStream.range(3 * n, 3 * n + 3).boxed().toList();
                three.forEach(number -> numbers.addGroup("list").append("element", number));
                writer.write(row);
            }
        }
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
        return file;
    }
}
