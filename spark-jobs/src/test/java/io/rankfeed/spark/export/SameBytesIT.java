package io.rankfeed.spark.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.sample.PreparedFixture;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans and versions are the same bytes on any cluster, and after a kill at any point of the way. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SameBytesIT {
    private static final int KILLED = 137;

    private Path base;
    private SortedMap<String, String> expected;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        base = folder;
        SparkSession spark = PreparedFixture.session("local[2]", 3, "true");
        PreparedFixture.write(spark, base);
        ExportRun.run(spark, base);
        spark.stop();
        expected = ExportRun.digests(base);
    }

    @AfterEach
    void stop() {
        SparkSession.getActiveSession().foreach(session -> {
            session.stop();
            return null;
        });
    }

    @ParameterizedTest
    @CsvSource({"local[1],1,false", "local[2],7,true", "local[1],7,false", "local[2],1,true", "local[2],200,true"})
    void masterPartitionsAndAdaptiveExecutionChangeNothing(
            String master, int partitions, String adaptive, @TempDir Path root) throws IOException {
        ExportRun.copy(base, root, "prepared");
        SparkSession spark = PreparedFixture.session(master, partitions, adaptive);
        ExportRun.run(spark, root);
        spark.stop();

        assertThat(ExportRun.digests(root)).isEqualTo(expected);
    }

    /** Killed while it makes a plan, and, where the plan is there already, while it makes the version. */
    @ParameterizedTest
    @CsvSource({
        "plans,sample.after-feed",
        "plans,commit.before-rename",
        "versions,file.before-rename",
        "versions,export.in-unit",
        "versions,commit.before-manifest",
        "versions,commit.after-rename"
    })
    void aRunAfterAKillGivesTheSameFilesAndNoOthers(String artefact, String point, @TempDir Path root)
            throws Exception {
        ExportRun.copy(base, root, "prepared");
        if (artefact.equals("versions")) {
            ExportRun.copy(base, root, "plans");
        }
        assertThat(child(root, point)).isEqualTo(KILLED);
        boolean complete = ExportRun.digests(root).keySet().stream()
                .anyMatch(path -> path.startsWith(artefact) && path.endsWith("/manifest.json"));
        assertThat(complete).isEqualTo(point.equals("commit.after-rename"));

        SparkSession spark = PreparedFixture.session("local[2]", 3, "true");
        ExportRun.run(spark, root);
        spark.stop();

        assertThat(ExportRun.digests(root)).isEqualTo(expected);
    }

    @Test
    void leftoversOfAnotherAttemptAreSweptAndTornFilesReplaced(@TempDir Path root) throws IOException {
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
        SparkSession spark = PreparedFixture.session("local[2]", 3, "true");
        ExportRun.run(spark, root);
        spark.stop();

        assertThat(ExportRun.digests(root)).isEqualTo(expected);
    }

    private static int child(Path root, String point) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-opens")
                        || argument.startsWith("--add-modules")
                        || argument.startsWith("-XX:+Ignore")
                        || argument.startsWith("-Dio.netty"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx1g", "-Drankfeed.fault=" + point, "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(ExportRun.class.getName(), root.toString()));
        Path log = root.resolve("child.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("the child did not end:\n" + Files.readString(log));
        }
        return process.exitValue();
    }
}
