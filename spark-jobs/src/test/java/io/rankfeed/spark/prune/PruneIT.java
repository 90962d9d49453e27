package io.rankfeed.spark.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.console.Console;
import io.rankfeed.export.commit.Claim;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.spark.RankfeedJobs;
import io.rankfeed.spark.run.LocalSpark;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A root of three runs: two tables, three plans and three versions. The first two versions are of one table. */
class PruneIT {
    private static SparkSession spark;

    @TempDir
    private Path root;

    @BeforeAll
    static void start() {
        System.setProperty("spark.master", "local[1]");
        spark = LocalSpark.session(1);
    }

    @AfterAll
    static void stop() {
        System.clearProperty("spark.master");
    }

    @Test
    void prune_oldRuns_leavesTheLatestWithAllThatItWasMadeFrom() throws IOException {
        run("monday", 100, 1);
        run("tuesday", 100, 2);
        Set<String> before = files();
        run("wednesday", 120, 3);
        Set<String> all = files();
        Set<String> latest = new TreeSet<>(all);
        latest.removeAll(before);

        assertThat(prune(0, "--keep", "1", "--dry-run"))
                .contains("would be removed", "9 folders")
                .contains("versions", "plans", "prepared", "runs", "monday", "tuesday");
        assertThat(files()).isEqualTo(all);
        assertThat(prune(0, "--keep", "3")).contains("0 folders");
        assertThat(files()).isEqualTo(all);

        assertThat(prune(0, "--keep", "2")).contains("4 folders");
        // The table of monday is that of tuesday.
        assertThat(list("prepared")).hasSize(2);
        assertThat(list("versions")).hasSize(2);
        assertThat(list("runs"))
                .extracting(Path::getFileName)
                .map(Path::toString)
                .containsExactly("tuesday", "wednesday");

        assertThat(prune(0, "--keep", "1")).contains("5 folders");
        assertThat(files()).isEqualTo(latest);
        assertThat(execute(0, "inspect", list("versions").get(0).toString())).contains("120 rows in ");
        run("wednesday", 120, 3);
        assertThat(files()).isEqualTo(latest);
    }

    @Test
    void prune_whatIsUsed_staysAndIsNamed() throws IOException {
        run("monday", 100, 1);
        Path version = list("versions").get(0);
        run("tuesday", 120, 2);
        Set<String> all = files();
        Path lane;
        try (Stream<Path> lanes = Files.walk(version.resolve("lanes"))) {
            lane = lanes.filter(Files::isRegularFile).findFirst().orElseThrow();
        }

        Process reader =
                new ProcessBuilder("sleep", "3600").redirectInput(lane.toFile()).start();
        try {
            assertThat(prune(0, "--keep", "1"))
                    .contains("kept: process " + reader.pid() + " of this machine has it open")
                    .contains("3 folders");
        } finally {
            reader.destroyForcibly();
        }
        assertThat(version.resolve("manifest.json")).exists();

        Path running = root.resolve("d/runs/tuesday");
        Set<String> left = files();
        assertThat(left).isSubsetOf(all);
        org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(running.toUri());
        try (Claim claim = Claim.take(FileSystem.getLocal(new Configuration()).getRaw(), folder, "app")) {
            assertThat(claim).isNotNull();
            assertThat(prune(4, "--keep", "1")).contains("another job", "is writing", "tuesday");
        }
        assertThat(files()).isEqualTo(left);
    }

    /** A job that has just begun. */
    @Tag("nightly")
    @Test
    void prune_claimedRunWithoutFacts_isRefused() throws IOException {
        run("monday", 100, 1);
        run("tuesday", 120, 2);
        Path begun = Files.createDirectories(root.resolve("d/runs/wednesday"));
        Set<String> before = files();
        org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(begun.toUri());
        try (Claim claim = Claim.take(FileSystem.getLocal(new Configuration()).getRaw(), folder, "app")) {
            assertThat(claim).isNotNull();
            assertThat(prune(4, "--keep", "1")).contains("another job", "is writing", "wednesday");
        }
        assertThat(files()).isEqualTo(before);
        assertThat(prune(0, "--keep", "1")).contains("5 folders").doesNotContain("wednesday");
    }

    /** What a process leaves that is killed while it removes: the manifest is gone first. */
    @Test
    void prune_killedBefore_removesTheRest() throws IOException {
        run("monday", 100, 1);
        Files.delete(list("versions").get(0).resolve("manifest.json"));
        run("tuesday", 120, 2);

        assertThat(prune(0, "--keep", "1")).contains("removed: incomplete");

        assertThat(list("versions")).hasSize(1);
        assertThat(list("commits")).hasSize(1);
        assertThat(prune(0, "--keep", "1")).contains("0 folders");
    }

    @Test
    void prune_formattedCopy_isRemovedWithItsVersion() throws IOException {
        String formats = "export: {formats: [lanes, {format: mds, ranks: 2}]}";
        assertThat(run("monday", 100, 1, formats)).contains("mds " + root + "/d/formats/");
        run("tuesday", 120, 2, formats);
        List<Path> copies = list("formats");
        assertThat(copies).hasSize(2);
        assertThat(execute(0, "inspect", copies.get(0).toString())).contains("format: mds", "columns: id int64");
        assertThat(execute(0, "inspect", root.resolve("d").toString())).contains("formats: 2 complete");
        assertThat(execute(0, "inspect", root.resolve("d/runs/tuesday").toString()))
                .contains("format mds: 120 rows", "formatted copy");
        assertThat(run("tuesday", 120, 2, formats)).contains("is committed already", ", mds ");
        assertThat(execute(2, "simulate", copies.get(0).toString())).contains("another format");
        Path unfinished = Files.createDirectories(root.resolve("d/formats/0123456789abcdef"));
        Files.writeString(unfinished.resolve("_attempt-x"), "x");

        assertThat(prune(0, "--keep", "2")).contains("1 folder,", "0123456789abcdef");
        assertThat(prune(0, "--keep", "1")).contains("formats", "6 folders");
        assertThat(list("formats")).hasSize(1);
        assertThat(list("versions")).hasSize(1);
        run("tuesday", 120, 2, formats);
        assertThat(list("formats")).hasSize(1);
    }

    @Test
    void prune_noDatasetOrNumber_isRefused() throws IOException {
        Files.createDirectories(root.resolve("other/versions/0123456789abcdef"));

        assertThat(prune(2, "--keep", "1")).contains("has no dataset with a run");
        assertThat(prune(2, "--keep", "0")).contains("a number from 1");
        assertThat(prune(2, "--keep", "1", "--dataset", "x")).contains("has no dataset 'x'");
        assertThat(execute(2, "prune", root + "/none", "--keep", "1")).contains("nothing exists at");
        assertThat(root.resolve("other/versions/0123456789abcdef")).exists();
    }

    private void run(String runId, int rows, int seed) throws IOException {
        run(runId, rows, seed, "");
    }

    private String run(String runId, int rows, int seed, String export) throws IOException {
        Path table = root.resolve("in-" + rows);
        if (!Files.exists(table)) {
            spark.range(rows)
                    .selectExpr("id", "id % 7 AS a")
                    .coalesce(1)
                    .write()
                    .parquet(table.toString());
        }
        Path job = Files.writeString(root.resolve("job.yaml"), """
                dataset: d
                root: '%s'
                sources: {t: {parquet: '%s'}}
                prepare: {select: {from: t}, key: [id]}
                sample: {train: {batch: 8, lanes: 2, seed: %d}}
                %s
                """.formatted(root, table, seed, export));
        return execute(0, "pipeline", job.toString(), "--run-id", runId, "--progress", "none");
    }

    private String prune(int exitCode, String... words) {
        List<String> all = new ArrayList<>(List.of("prune", root.toString()));
        all.addAll(List.of(words));
        return execute(exitCode, all.toArray(String[]::new));
    }

    private static String execute(int exitCode, String... words) {
        StringWriter printed = new StringWriter();
        PrintWriter both = new PrintWriter(printed, true);
        assertThat(Console.execute(RankfeedJobs.commandLine().setErr(both).setOut(both), words))
                .as(printed.toString())
                .isEqualTo(exitCode);
        return printed.toString();
    }

    private List<Path> list(String kind) throws IOException {
        try (Stream<Path> entries = Files.list(root.resolve("d").resolve(kind))) {
            return entries.sorted().toList();
        }
    }

    /** Files of the dataset, and the facts of runs by what they made. */
    private Set<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("d"))) {
            Set<String> names = new TreeSet<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                names.add(root.relativize(file).toString());
                if (file.endsWith("run.json")) {
                    names.add(StrictJson.parse(Files.readAllBytes(file), "run.json")
                            .path("version")
                            .asText());
                }
            }
            return names;
        }
    }
}
