package io.rankfeed.spark.engine.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChosenFileTest {
    private static final int ROWS = 8000;
    private static final int PAGE_ROWS = 100;
    private static final int VALUE_BYTES = 256;
    private static final String SCHEME = "counted";
    private static final MessageType TYPE = MessageTypeParser.parseMessageType(
            "message m { required int64 n; optional binary text (UTF8); required int32 small (INTEGER(8,true));"
                    + " required binary packed; required boolean odd; optional double half; required float third; }");
    private static final StructType COLUMNS = StructType.fromDDL(
            "n BIGINT, text STRING, small TINYINT, packed BINARY, odd BOOLEAN, half DOUBLE, third FLOAT");
    private static final int[] HEADS = {0, 0, 0, 8, 0, 0, 0};

    private final Configuration conf = new Configuration();
    private String file;
    private int groups;

    @BeforeAll
    void write(@TempDir java.nio.file.Path folder) throws IOException {
        // Local files count no bytes that are read so.
        conf.setBoolean("parquet.hadoop.vectored.io.enabled", false);
        conf.setClass("fs." + SCHEME + ".impl", CountedFiles.class, FileSystem.class);
        file = folder.resolve("rows.parquet").toString();
        Random random = new Random(5);
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(HadoopOutputFile.fromPath(new Path(file), conf))
                .withType(TYPE)
                .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                .withPageRowCountLimit(PAGE_ROWS)
                .withRowGroupRowCountLimit(1000)
                .withDictionaryEncoding(false)
                .build()) {
            SimpleGroupFactory rows = new SimpleGroupFactory(TYPE);
            for (int n = 0; n < ROWS; n++) {
                Group row = rows.newGroup().append("n", (long) n);
                if (n % 3 != 0) {
                    row.append("text", "t" + n);
                }
                byte[] packed = new byte[VALUE_BYTES];
                random.nextBytes(packed);
                packed[8] = (byte) n;
                row.append("small", (int) (byte) n).append("packed", Binary.fromConstantByteArray(packed));
                row.append("odd", n % 2 == 1);
                if (n % 5 != 0) {
                    row.append("half", n / 2.0);
                }
                writer.write(row.append("third", n / 3f));
            }
        }
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromPath(new Path(file), conf))) {
            groups = reader.getRowGroups().size();
        }
        assertThat(groups).isGreaterThan(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 500, 12000})
    void chosenRows_exactly_areReturnedWithTheirValues(int count) {
        long seed = count * 31L;
        long[] rows = new Random(seed).longs(count, 0, ROWS).sorted().toArray();
        long[] distinct = Arrays.stream(rows).distinct().toArray();
        try (ChosenFile chosen =
                new ChosenFile(file, rows, COLUMNS, ChosenFile.Values.FLAT, HEADS, group -> false, conf)) {
            for (long n : distinct) {
                InternalRow row = chosen.next();
                assertThat(row.getLong(0)).as("seed %d", seed).isEqualTo(n);
                assertThat(row.isNullAt(1)).isEqualTo(n % 3 == 0);
                assertThat(n % 3 == 0 ? "t" + n : row.getUTF8String(1).toString())
                        .isEqualTo("t" + n);
                assertThat(row.getByte(2)).isEqualTo((byte) n);
                assertThat(row.getBinary(3)).hasSize(VALUE_BYTES - 8).startsWith((byte) n);
                assertThat(row.getBoolean(4)).isEqualTo(n % 2 == 1);
                assertThat(row.isNullAt(5) ? n / 2.0 : row.getDouble(5)).isEqualTo(n / 2.0);
                assertThat(row.isNullAt(5)).isEqualTo(n % 5 == 0);
                assertThat(row.getFloat(6)).isEqualTo(n / 3f);
            }
        }
    }

    @Test
    void rowGroupsAndPages_withoutChosenRow_areNotRead() {
        long whole = bytesRead(LongStream.range(0, ROWS).toArray());
        long footer = bytesRead(new long[0]);
        assertThat(whole).isGreaterThan((long) ROWS * VALUE_BYTES);
        assertThat(bytesRead(LongStream.range(1000, 2000).toArray()) - footer)
                .as("one row group of %d", groups)
                .isLessThan((whole - footer) / groups * 3 / 2);
        long page = (long) PAGE_ROWS * (VALUE_BYTES + 64);
        assertThat(bytesRead(new long[] {4242}) - footer).as("one page").isBetween((long) VALUE_BYTES, 2 * page);
        assertThat(bytesRead(new long[] {17, 4242, 7999}) - footer)
                .as("three pages")
                .isLessThan(6 * page);
    }

    @Test
    void file_damagedOrAbsent_isNamed(@TempDir java.nio.file.Path folder) throws IOException {
        byte[] bytes = Files.readAllBytes(java.nio.file.Path.of(file));
        bytes[bytes.length / 2] ^= 1;
        String flipped = Files.write(folder.resolve("flipped.parquet"), bytes).toString();
        assertThatThrownBy(() -> read(flipped, LongStream.range(0, ROWS).toArray()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("flipped.parquet");
        assertThatThrownBy(() -> read(folder.resolve("none.parquet").toString(), new long[] {0}))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("none.parquet");
    }

    private long bytesRead(long[] rows) {
        long before = counted();
        read(SCHEME + "://" + file, rows);
        return counted() - before;
    }

    private static long counted() {
        StorageStatistics counts = FileSystem.getGlobalStorageStatistics().get(SCHEME);
        return counts == null ? 0 : Objects.requireNonNull(counts.getLong("bytesRead"));
    }

    /** Local files under a scheme of their own: Hadoop counts by scheme, for the whole JVM, and others read files, too. */
    static final class CountedFiles extends RawLocalFileSystem {
        @Override
        public URI getUri() {
            return URI.create(SCHEME + ":///");
        }
    }

    private void read(String path, long[] rows) {
        try (ChosenFile chosen =
                new ChosenFile(path, rows, COLUMNS, ChosenFile.Values.FLAT, HEADS, group -> false, conf)) {
            for (int i = 0; i < rows.length; i++) {
                chosen.next();
            }
        }
    }
}
