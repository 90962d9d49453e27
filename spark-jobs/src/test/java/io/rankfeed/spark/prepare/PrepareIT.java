package io.rankfeed.spark.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.spark.file.FileRow;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrepareIT {
    private static final String NARROW = "select: {from: t, where: 'id % 5 != 1'}\nblock: 64 KiB";
    private static final String CLUSTERED = "select: {from: t}\nblock: 64 KiB\nkey: [id]\ncluster-by: [label, note]";
    private static final String BY_KEY =
            "sql: SELECT a.id, a.tokens, b.note FROM t a JOIN t b ON a.id = b.id\nkey: [id]\nblock: 64 KiB";

    @TempDir
    private Path folder;

    @Test
    void wholeNumbers_beyond64Bits_areKeptAsWritten() throws IOException {
        Path lines = Files.createDirectories(folder.resolve("lines"));
        Files.writeString(lines.resolve("a.jsonl"), """
                {"id": 0, "a": 1, "b": {"c": [2]}}
                {"id": 1, "a": 18446744073709551616, "b": {"c": [36893488147419103232]}}
                """);
        PreparedTable table = PrepareFixture.prepare(
                folder.resolve("out"),
                "  t: {jsonl: '" + lines + "'}",
                "sql: SELECT id, a, CAST(a AS DOUBLE) AS d, b.c[0] AS c FROM t");
        assertThat(rows(table).stream()
                        .map(row ->
                                row.<String>getAs("a") + " " + row.<Double>getAs("d") + " " + row.<String>getAs("c")))
                .containsExactly("1 1.0 2", "18446744073709551616 1.8446744073709552E19 36893488147419103232");
    }

    @Test
    void files_eachOneRowGroup_fillBlocksAndKeepTheOrder() throws IOException {
        Path source = PrepareFixture.table(folder.resolve("in"), 8000, 3);
        PreparedTable table = PrepareFixture.prepare(folder.resolve("out"), source, NARROW);
        assertThat(table.manifest().rows()).isEqualTo(6400);
        assertFill(table, 64 << 10);
        List<Row> rows = rows(table);
        assertThat(rows).hasSize(6400);
        List<Long> places = rows.stream()
                .map(row -> FileRow.of(row.<Integer>getAs("_source"), row.<Long>getAs("_source_row")))
                .toList();
        assertThat(IntStream.range(1, places.size()).filter(i -> places.get(i) <= places.get(i - 1)))
                .as("rows before the one before them: only what is left of all units, which comes last, begins again")
                .hasSizeLessThanOrEqualTo(1);
        assertThat(places).doesNotHaveDuplicates();
        Row row = rows.get(777);
        String name = table.manifest().sources().get(row.getAs("_source"));
        long expected =
                new KeyEncoding().address(name, row.<Long>getAs("_source_row")).rowId();
        assertThat(row.<Long>getAs("_row_id")).isEqualTo(expected);
    }

    @Test
    void lists_arePackedAndTheirTypesAreInTheSchema() throws IOException {
        Path source = PrepareFixture.table(folder.resolve("in"), 500, 1);
        PreparedTable table = PrepareFixture.prepare(folder.resolve("out"), source, NARROW);
        assertThat(table.manifest().schema().fields())
                .contains(
                        new Field("tokens", DType.INT32, Shape.of(Shape.VARIABLE), false),
                        new Field("label", DType.BOOL, Shape.scalar(), false));
        Row row = rows(table).get(100);
        long id = row.getAs("id");
        ByteBuffer tokens = ByteBuffer.wrap(row.getAs("tokens")).order(ByteOrder.LITTLE_ENDIAN);
        int[] expected = PrepareFixture.session()
                .read()
                .parquet(source.toString())
                .where("id = " + id)
                .selectExpr("explode(tokens)")
                .collectAsList()
                .stream()
                .mapToInt(r -> r.getInt(0))
                .toArray();
        assertThat(tokens.remaining()).isEqualTo(4 * expected.length);
        for (int value : expected) {
            assertThat(tokens.getInt()).isEqualTo(value);
        }
    }

    @Test
    void join_isWrittenByKeyAndNamesTheDrivingRow() throws IOException {
        Path source = PrepareFixture.table(folder.resolve("in"), 8000, 3);
        PreparedTable table = PrepareFixture.prepare(folder.resolve("out"), source, BY_KEY);
        assertThat(table.manifest().rows()).isEqualTo(8000);
        assertFill(table, 64 << 10);
        for (Row row : rows(table).subList(0, 50)) {
            assertThat(row.<Long>getAs("_row_id"))
                    .isEqualTo(new KeyEncoding().integer(row.getAs("id")).rowId());
            assertThat(table.manifest().sources().get(row.getAs("_source"))).startsWith("t/part-");
            assertThat(row.<Long>getAs("_source_row")).isNotNegative();
        }
    }

    @Test
    void clusteredRows_areSortedAndEqualKeysAreFound() {
        Path source = PrepareFixture.table(folder.resolve("in"), 3000, 3);
        List<Row> rows = rows(PrepareFixture.prepare(folder.resolve("out"), source, CLUSTERED));
        assertThat(rows).hasSize(3000);
        assertThat(rows.stream().map(row -> row.<Boolean>getAs("label") + row.<String>getAs("note")))
                .isSorted();
        String twice = "sql: SELECT id % 2900 AS id, count(*) AS n FROM t GROUP BY t.id\nkey: [id]\ncluster-by: [n]";
        assertThatThrownBy(() -> PrepareFixture.prepare(folder.resolve("out"), source, twice))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("duplicate key");
        assertThatThrownBy(() -> PrepareFixture.prepare(
                        folder.resolve("out"), source, "select: {from: t}\ncluster-by: [tokens]"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("prepare.cluster-by: column 'tokens' is a tensor");
    }

    @Test
    void bytes_anyPartitions_areTheSame() {
        compareBytes(BY_KEY);
    }

    @Tag("nightly")
    @Test
    void bytes_ofMoreQueriesAndAnyPartitions_areTheSame() {
        compareBytes(NARROW, CLUSTERED);
    }

    private void compareBytes(String... queries) {
        Path source = PrepareFixture.table(folder.resolve("in"), 3000, 3);
        SparkSession spark = PrepareFixture.session();
        for (String query : queries) {
            spark.conf().set("spark.sql.shuffle.partitions", "1");
            spark.conf().set("spark.sql.adaptive.enabled", "true");
            PreparedTable one = PrepareFixture.prepare(folder.resolve("one"), source, query);
            spark.conf().set("spark.sql.shuffle.partitions", "7");
            spark.conf().set("spark.sql.adaptive.enabled", "false");
            spark.conf().set("spark.sql.files.maxPartitionBytes", "100000");
            PreparedTable seven = PrepareFixture.prepare(folder.resolve("seven"), source, query);
            spark.conf().unset("spark.sql.files.maxPartitionBytes");
            spark.conf().set("spark.sql.adaptive.enabled", "true");
            spark.conf().set("spark.sql.shuffle.partitions", "3");
            assertThat(seven.manifest()).isEqualTo(one.manifest());
            assertThat(seven.manifestSha256()).isEqualTo(one.manifestSha256());
        }
    }

    @Test
    void files_withAndWithoutShuffle_areTheSame() throws TimeoutException {
        SparkSession spark = PrepareFixture.session();
        Path source = folder.resolve("in");
        spark.read()
                .parquet(
                        PrepareFixture.table(folder.resolve("whole"), 12_000, 3).toString())
                .write()
                .option("parquet.block.size", 150_000)
                .parquet(source.toString());
        ShuffledBytes shuffled = new ShuffledBytes();
        spark.sparkContext().addSparkListener(shuffled);
        try {
            PreparedTable read =
                    PrepareFixture.prepare(folder.resolve("read"), source, "select: {from: t}\nblock: 64 KiB");
            assertThat(shuffled.sum(spark)).isZero();
            PreparedTable brought = PrepareFixture.prepare(
                    folder.resolve("brought"),
                    source,
                    "sql: SELECT * FROM t WHERE id IN (SELECT id FROM t)\nblock: 64 KiB");
            assertThat(shuffled.sum(spark)).isPositive();
            assertThat(dataFiles(read)).anyMatch(file -> file.path().value().startsWith("data/part-00001-"));
            assertThat(dataFiles(brought)).isEqualTo(dataFiles(read));
        } finally {
            spark.sparkContext().removeSparkListener(shuffled);
        }
    }

    private static List<ArtifactFile> dataFiles(PreparedTable table) {
        return table.manifest().files().stream()
                .filter(file -> file.path().value().startsWith("data/"))
                .toList();
    }

    private static final class ShuffledBytes extends SparkListener {
        private final AtomicLong bytes = new AtomicLong();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            bytes.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
        }

        long sum(SparkSession spark) throws TimeoutException {
            spark.sparkContext().listenerBus().waitUntilEmpty();
            return bytes.get();
        }
    }

    @Test
    void table_existing_isUsedAgainAndOrphansAreSwept() throws IOException {
        Path source = PrepareFixture.table(folder.resolve("in"), 1000, 1);
        PreparedTable first = PrepareFixture.prepare(folder.resolve("out"), source, NARROW);
        Path data = PrepareFixture.folder(first).resolve("data");
        Path one = data.resolve("part-00000-00000.parquet");
        Object written = Files.getLastModifiedTime(one);
        PrepareFixture.prepare(folder.resolve("out"), source, NARROW);
        assertThat(Files.getLastModifiedTime(one)).isEqualTo(written);

        Files.delete(PrepareFixture.folder(first).resolve("manifest.json"));
        Files.writeString(one, "torn by a crash");
        Files.writeString(data.resolve("part-00099-00000.parquet"), "of an attempt that was cut otherwise");
        Files.writeString(data.resolve("_attempt-x-part-00000-00000.parquet"), "half");
        PreparedTable again = PrepareFixture.prepare(folder.resolve("out"), source, NARROW);
        assertThat(again.manifestSha256()).isEqualTo(first.manifestSha256());
        try (Stream<Path> names = Files.list(data)) {
            assertThat(names.map(path -> "data/" + path.getFileName()))
                    .containsExactlyInAnyOrderElementsOf(first.manifest().files().stream()
                            .map(file -> file.path().value())
                            .filter(path -> path.startsWith("data/"))
                            .toList());
        }
    }

    private static List<Row> rows(PreparedTable table) {
        String data = PrepareFixture.folder(table).resolve("data").toString();
        return PrepareFixture.session()
                .read()
                .parquet(data)
                .orderBy("_metadata.file_path", "_metadata.row_index")
                .collectAsList();
    }

    private static void assertFill(PreparedTable table, long block) throws IOException {
        List<ArtifactFile> files = table.manifest().files().stream()
                .filter(file -> file.rows().isPresent())
                .toList();
        assertThat(files).hasSizeGreaterThanOrEqualTo(20);
        long bytes = 0;
        for (ArtifactFile file : files) {
            assertThat(file.bytes()).as("%s", file.path()).isLessThanOrEqualTo(block);
            org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(
                    file.path().in(PrepareFixture.folder(table)).toUri());
            try (ParquetFileReader reader =
                    ParquetFileReader.open(HadoopInputFile.fromPath(path, new Configuration()))) {
                assertThat(reader.getRowGroups()).hasSize(1);
                assertThat(reader.getRecordCount()).isEqualTo(file.rows().orElseThrow());
            }
        }
        for (ArtifactFile file : files.subList(0, files.size() - 1)) {
            bytes += file.bytes();
        }
        assertThat((double) bytes / (files.size() - 1) / block).isGreaterThanOrEqualTo(0.95);
    }
}
