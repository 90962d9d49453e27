package io.rankfeed.spark.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.export.commit.Claim;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.run.LocalSpark;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Order(LocalSpark.LAST)
class GenerateIT {
    private static SparkSession spark;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void start() {
        spark = session("local[2]");
    }

    @AfterAll
    static void stop() {
        LocalSpark.stop();
    }

    @Test
    void rows_oneAndSevenPartitions_areTheSame() {
        CodeContestsRows rows = new CodeContestsRows(42, CodeContestsShape.of(3_000));
        List<Row> one = RowsWriter.frame(spark, rows, 1).collectAsList();
        List<Row> seven = RowsWriter.frame(spark, rows, 7).collectAsList();
        assertThat(one).hasSize(3_128).isEqualTo(seven);
    }

    @Test
    void files_anySession_haveFixedNamesAndTheSameBytes() throws IOException {
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");
        assertThat(generate("codecontests", "--rows", "26000", "--out", first.toString()))
                .isZero();
        stop();
        spark = session("local[1]");
        spark.conf().set("parquet.block.size", "100000");
        spark.conf().set("spark.sql.files.maxRecordsPerFile", "1000");
        spark.conf().set("spark.sql.parquet.compression.codec", "snappy");
        assertThat(generate("codecontests", "--rows", "26000", "--out", second.toString()))
                .isZero();
        assertThat(digests(first))
                .containsOnlyKeys("_generated.json", "part-00000.parquet", "part-00001.parquet")
                .isEqualTo(digests(second));
        assertThat(spark.read()
                        .parquet(first.toString())
                        .filter("is_correct AND split = 'train'")
                        .count())
                .isEqualTo(12_355);
        assertThat(spark.read().parquet(first.toString()).schema()).isEqualTo(RowsWriter.SCHEMA);
        assertThat(out.toString()).contains("train", "12355", "2 files");
    }

    @Test
    void set_existing_isKeptAndAnotherIsRefused() throws IOException {
        Path target = folder.resolve("set");
        assertThat(generate("--rows", "100", "--out", target.toString())).isZero();
        Map<String, String> before = digests(target);
        Files.setLastModifiedTime(target.resolve("part-00000.parquet"), FileTime.fromMillis(12_345_000));
        assertThat(generate("--rows", "100", "--out", target.toString())).isZero();
        assertThat(Files.getLastModifiedTime(target.resolve("part-00000.parquet"))
                        .toMillis())
                .isEqualTo(12_345_000);
        assertThat(generate("--rows", "101", "--out", target.toString())).isEqualTo(2);
        assertThat(generate("--rows", "100", "--seed", "1", "--out", target.toString()))
                .isEqualTo(2);
        assertThat(generate("--rows", "100", "--format", "jsonl", "--out", target.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("holds another generated set", "\"rows\": 100");
        assertThat(digests(target)).isEqualTo(before);
        assertThat(siblings()).containsExactly("set");
    }

    @Test
    void filesOfKilledJob_areRemovedAndThoseOfALiveOneKept() throws IOException {
        Path target = folder.resolve("set");
        Path left = Files.createDirectories(folder.resolve("_set.attempt/rows/_temporary/0"));
        Files.writeString(left.resolve("part-00000.parquet"), "half");
        Path another = Files.createDirectories(folder.resolve("_other.attempt/rows"));
        org.apache.hadoop.fs.Path attempt =
                new org.apache.hadoop.fs.Path(folder.resolve("_set.attempt").toUri());
        Configuration conf = spark.sparkContext().hadoopConfiguration();
        Claim living = Claim.take(Storage.of(attempt, conf), attempt, "app-living");
        assertThat(generate("--rows", "100", "--out", target.toString())).isEqualTo(4);
        assertThat(err.toString()).contains("another job (application app-living");
        assertThat(left.resolve("part-00000.parquet")).exists();
        living.close();
        assertThat(generate("--rows", "100", "--out", target.toString())).isZero();
        assertThat(siblings()).containsExactly("_other.attempt", "set");
        assertThat(another).exists();
    }

    @Test
    void folder_withOtherFiles_isRefusedAndEmptyOneUsed() throws IOException {
        Path mine = Files.createDirectory(folder.resolve("mine"));
        Files.writeString(mine.resolve("notes.txt"), "mine");
        assertThat(generate("--rows", "100", "--out", mine.toString())).isEqualTo(2);
        assertThat(digests(mine)).containsOnlyKeys("notes.txt");
        Files.delete(mine.resolve("notes.txt"));
        assertThat(generate("--rows", "100", "--out", mine.toString())).isZero();
        assertThat(digests(mine)).containsOnlyKeys("_generated.json", "part-00000.parquet");
    }

    @Tag("nightly")
    @Test
    void jsonLinesAndDelta_holdTheRowsOfTheParquet() {
        for (String format : new String[] {"parquet", "jsonl", "delta"}) {
            assertThat(generate(
                            "--rows",
                            "500",
                            "--format",
                            format,
                            "--out",
                            folder.resolve(format).toString()))
                    .isZero();
        }
        List<String> columns = List.of(RowsWriter.SCHEMA.fieldNames());
        List<Row> parquet = sorted(columns, "parquet", "parquet");
        assertThat(parquet).hasSize(628);
        assertThat(sorted(columns, "json", "jsonl")).isEqualTo(parquet);
        assertThat(sorted(columns, "delta", "delta")).isEqualTo(parquet);
        assertThat(folder.resolve("jsonl").resolve("part-00000.jsonl")).exists();
    }

    @Test
    void options_wrong_areRefusedBeforeAnythingIsWritten() throws IOException {
        String target = folder.resolve("set").toString();
        assertThat(generate("imagenet", "--out", target)).isEqualTo(2);
        assertThat(generate("--rows", "0", "--out", target)).isEqualTo(2);
        assertThat(generate("--rows", "3691982", "--out", target)).isEqualTo(2);
        assertThat(generate("--format", "csv", "--out", target)).isEqualTo(2);
        assertThat(generate("--rows", "5")).isEqualTo(2);
        assertThat(err.toString()).contains("imagenet", "3691981", "csv", "--out");
        assertThat(siblings()).isEmpty();
    }

    private List<Row> sorted(List<String> columns, String reader, String name) {
        // Delta has its own schema and takes no other.
        DataFrameReader rows = spark.read().format(reader);
        return (reader.equals("delta") ? rows : rows.schema(RowsWriter.SCHEMA))
                .load(folder.resolve(name).toString())
                .selectExpr(columns.toArray(String[]::new))
                .orderBy("task_id")
                .collectAsList();
    }

    private int generate(String... words) {
        CommandLine line = new CommandLine(new GenerateCommand());
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        line.setExecutionExceptionHandler((e, at, parsed) -> {
            at.getErr().println(e.getMessage());
            return e instanceof RankfeedException known ? known.exitCode() : 1;
        });
        String[] all =
                Stream.concat(Stream.of(words), Stream.of("--progress", "none")).toArray(String[]::new);
        return line.execute(all);
    }

    private List<String> siblings() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    private static Map<String, String> digests(Path set) throws IOException {
        Map<String, String> digests = new TreeMap<>();
        try (Stream<Path> files = Files.list(set)) {
            for (Path file : files.toList()) {
                digests.put(file.getFileName().toString(), Sha256.hex(Files.readAllBytes(file)));
            }
        }
        return digests;
    }

    private static SparkSession session(String master) {
        return LocalSpark.own(master, 2)
                .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
                .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
                .getOrCreate();
    }
}
