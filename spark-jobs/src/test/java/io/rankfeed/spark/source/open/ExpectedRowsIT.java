package io.rankfeed.spark.source.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the rows that Spark reads with the known numbers of rows of the files. */
class ExpectedRowsIT {
    @TempDir
    private Path folder;

    private SparkSession spark;

    @BeforeEach
    void start() {
        spark = LocalSpark.session(2);
    }

    /** Five rows are read of file {@code a}, and none of file {@code b}. */
    @ParameterizedTest
    @CsvSource({
        "6, 0, file:///in/a, 'reads 5 rows of this file, which has 6; counts differ in 1 file, 5 rows read of 6 '",
        "4, 0, file:///in/a, 'reads 5 rows of this file, which has 4; counts differ in 1 file, 5 rows read of 4 '",
        "5, 1, file:///in/b, 'reads 0 rows of this file, which has 1; counts differ in 1 file, 5 rows read of 6 '",
        "4, 1, file:///in/a, 'counts differ in 2 files, 5 rows read of 5 '",
    })
    void file_withOtherRows_isNamed(long ofA, long ofB, String file, String message) {
        Dataset<Row> read = spark.range(5).selectExpr("'file:/in/a' AS " + RowAddress.FILE);
        ExpectedRows expected = new ExpectedRows(read, Map.of("file:///in/a", ofA, "file:///in/b", ofB));
        assertThatThrownBy(() -> expected.compare("t"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith(file + ": sources.t: ")
                .hasMessageContaining(message);
        assertThatCode(() -> new ExpectedRows(read, Map.of("file:///in/a", 5L, "file:///in/b", 0L)).compare("t"))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> new ExpectedRows(read, Map.of()).compare("t"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("5 rows of this file, which has 0");
    }

    /** Files take turns in a task. */
    @Test
    void files_takingTurns_areCountedEach() {
        Dataset<Row> read = spark.range(0, 7, 1, 2)
                .selectExpr("IF(id % 2 = 0, 'file:/in/a', 'file:///in/b') AS " + RowAddress.FILE);
        assertThatCode(() -> new ExpectedRows(read, Map.of("file:///in/a", 4L, "file:///in/b", 3L)).compare("t"))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> new ExpectedRows(read, Map.of("file:///in/a", 3L, "file:///in/b", 4L)).compare("t"))
                .hasMessageContaining(
                        "reads 4 rows of this file, which has 3; counts differ in 2 files, 7 rows read of 7 ");
    }

    /** Spark returns an empty name if it does not know the file of a row. */
    @Test
    void fileWithoutName_isCounted() {
        Dataset<Row> read = spark.range(0, 5, 1, 1).selectExpr("IF(id < 2, '', 'file:/in/a') AS " + RowAddress.FILE);
        assertThatThrownBy(() -> new ExpectedRows(read, Map.of("file:///in/a", 5L)).compare("t"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("counts differ in 2 files, 5 rows read of 5 ");
    }

    /** Whatever the query does with the rows. */
    @ParameterizedTest
    @ValueSource(strings = "{sql: 'SELECT DISTINCT id % 2 AS id FROM t', key: [id]}")
    void log_countingOtherRows_isCorrupted(String prepare) throws IOException {
        Path table = folder.resolve("delta");
        spark.range(0, 5, 1, 1).write().format("delta").save(table.toString());
        Path log = table.resolve("_delta_log/00000000000000000000.json");
        String commit = Files.readString(log);
        assertThat(commit).contains("\\\"numRecords\\\":5");
        Files.writeString(log, commit.replace("\\\"numRecords\\\":5", "\\\"numRecords\\\":6"));
        Files.deleteIfExists(log.resolveSibling(".00000000000000000000.json.crc"));
        Files.deleteIfExists(log.resolveSibling("00000000000000000000.crc"));
        DeltaLog.clearCache();
        assertThatThrownBy(() -> prepare("delta: '" + table + "'", prepare))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContainingAll(".parquet: sources.t: Spark reads 5 rows of this file, which has 6");
        assertThat(folder.resolve("out/d/prepared")).satisfies(ExpectedRowsIT::isWithoutManifest);
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{select: {from: t}, key: [id]}",
                "{select: {from: t, where: 'id = 3'}, key: [id]}",
            })
    void log_countingOtherRowsInMoreQueries_isCorrupted(String prepare) throws IOException {
        log_countingOtherRows_isCorrupted(prepare);
    }

    private void prepare(String source, String prepare) {
        String yaml = "dataset: d\nroot: '" + folder.resolve("out") + "'\nsources:\n  t: {" + source + "}\nprepare: "
                + prepare + "\n";
        Prepare.run(JobContext.of(
                spark, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE));
    }

    private static void isWithoutManifest(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var files = Files.walk(folder)) {
                assertThat(files).noneMatch(file -> file.endsWith("manifest.json"));
            }
        }
    }
}
