package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.run.KilledRun;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.sample.PreparedFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans and versions are the same bytes on any cluster, and after a kill at any point of the way. */
@Order(LocalSpark.LAST)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SameBytesIT {
    private Path base;
    private SortedMap<String, String> expected;
    private SortedMap<String, String> expectedOfAll;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        base = folder;
        SparkSession spark = PreparedFixture.session();
        PreparedFixture.write(spark, base);
        ExportRun.run(spark, base);
        PipelineRun.table(spark, base.resolve("in"), 1);
        pipeline(spark, base.resolve("all"));
        expected = ExportRun.digests(base);
        expectedOfAll = PreparedFixture.digests(base.resolve("all"));
    }

    /** Compares every file that is listed, and the lists. */
    @ParameterizedTest
    @CsvSource("2, 20 false")
    void version_otherPartitionsAndExecution_hasTheSameBytes(int cores, String settings, @TempDir Path root)
            throws IOException {
        runAndCompare(cores, settings, root);
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({"1, '1 true, 7 false, 200 true'", "2, '1 true, 1 false, 7 true, 200 false'"})
    void version_otherCoresAndPartitions_hasTheSameBytes(int cores, String settings, @TempDir Path root)
            throws IOException {
        runAndCompare(cores, settings, root);
    }

    private void runAndCompare(int cores, String settings, Path root) throws IOException {
        SparkSession spark = LocalSpark.own("local[" + cores + "]", 3).getOrCreate();
        for (String setting : settings.split(", ", -1)) {
            String partitions = setting.split(" ", -1)[0];
            SparkSession session = spark.newSession();
            session.conf().set("spark.sql.shuffle.partitions", partitions);
            session.conf().set("spark.sql.adaptive.enabled", setting.split(" ", -1)[1]);
            session.conf().set("spark.sql.files.maxPartitionBytes", 400_000L / Integer.parseInt(partitions));
            Path out = root.resolve(setting.replace(' ', '-'));
            pipeline(session, out);
            assertThat(PreparedFixture.digests(out)).as(setting).isEqualTo(expectedOfAll);
        }
        assertThat(expectedOfAll.keySet())
                .anyMatch(file -> file.contains("/_delta_log/"))
                .anyMatch(file -> file.endsWith(".parquet") && file.contains("/data/"))
                .anyMatch(file -> file.contains("/rows/train-"))
                .anyMatch(file -> file.contains("/shared-"));
    }

    private void pipeline(SparkSession spark, Path root) {
        PipelineRun.run(
                PipelineRun.context(spark, root, base.resolve("in"), PipelineRun.SHUFFLED), Export.Reading.SCAN);
    }

    /** Killed while it makes the version of a plan that exists already. */
    @ParameterizedTest
    @Tag("nightly")
    @CsvSource("versions,export.in-unit")
    void runAfterKill_givesTheSameFilesAndNoOthers(String artifact, String point, @TempDir Path root) throws Exception {
        killAndRunAgain(artifact, point, root);
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({
        "plans,commit.before-rename",
        "plans,sample.after-feed",
        "versions,file.before-rename",
        "versions,export.after-units",
        "versions,commit.before-manifest",
        "versions,commit.after-rename"
    })
    void runAfterKill_atOtherPoints_givesTheSameFilesAndNoOthers(String artifact, String point, @TempDir Path root)
            throws Exception {
        killAndRunAgain(artifact, point, root);
    }

    private void killAndRunAgain(String artifact, String point, Path root) throws Exception {
        ExportRun.copy(base, root, "prepared");
        if (artifact.equals("versions")) {
            ExportRun.copy(base, root, "plans");
        }
        assertThat(KilledRun.of(ExportRun.class, point, root.resolve("child.log"), root.toString()))
                .isEqualTo(KilledRun.KILLED);
        boolean complete = ExportRun.digests(root).keySet().stream()
                .anyMatch(path -> path.startsWith(artifact) && path.endsWith("/manifest.json"));
        assertThat(complete).isEqualTo(point.equals("commit.after-rename"));

        SparkSession spark = PreparedFixture.session();
        ExportRun.run(spark, root);

        assertThat(ExportRun.digests(root)).isEqualTo(expected);
    }

    @Test
    void filesOfAnotherAttempt_areSweptAndTornOnesReplaced(@TempDir Path root) throws IOException {
        ExportRun.copy(base, root, "prepared");
        String torn = expected.keySet().stream()
                .filter(path -> path.endsWith("lane-00002-00000.arrow"))
                .findFirst()
                .orElseThrow();
        Path file = root.resolve("t").resolve(torn);
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[100]);
        Files.write(file.resolveSibling("_attempt-x-lane-00000-00000.arrow"), new byte[10]);
        Files.write(file.resolveSibling("lane-00099-00000.arrow"), new byte[10]);
        SparkSession spark = PreparedFixture.session();
        ExportRun.run(spark, root);

        assertThat(ExportRun.digests(root)).isEqualTo(expected);
    }
}
