package io.rankfeed.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.console.Console;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.spark.run.LocalSpark;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobRunIT {
    private static SparkSession spark;

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
    void errorOfJvm_isInTheFactsWithTheExitCodeOfABug(@TempDir Path folder) throws IOException {
        UDF1<Integer, Integer> broken = value -> {
            throw new NoSuchMethodError("of another version");
        };
        // Of a constant, so that the driver meets it.
        spark.udf().register("broken", broken, DataTypes.IntegerType);
        spark.range(3).write().parquet(folder.resolve("in").toString());
        Path job = Files.writeString(folder.resolve("job.yaml"), """
                dataset: d
                root: '%s'
                sources: {t: {parquet: '%s'}}
                prepare: {sql: "SELECT id, broken(1) AS b FROM t", key: [id]}
                """.formatted(folder, folder.resolve("in")));

        StringWriter err = new StringWriter();
        int exitCode = Console.execute(
                Cli.line(new RankfeedJobs()).setErr(new PrintWriter(err, true)),
                "prepare",
                job.toString(),
                "--run-id",
                "monday",
                "--progress",
                "none");

        assertThat(exitCode).as(err.toString()).isEqualTo(1);
        var facts = StrictJson.parse(Files.readAllBytes(folder.resolve("d/runs/monday/run.json")), "run.json");
        assertThat(facts.path("state").asText()).isEqualTo("failed");
        assertThat(facts.path("exitCode").asInt()).isEqualTo(1);
        assertThat(facts.path("error").asText()).contains("of another version");
        assertThat(Files.readString(folder.resolve("d/runs/monday/report.html")))
                .contains("Failed in prepare, exit code 1")
                .contains("of another version");
    }

    @Test
    void pipeline_leavesReportAndCardsAndNamesItsStages(@TempDir Path folder) throws Exception {
        spark.range(40)
                .selectExpr("id", "if(id < 30, 'a<b>', 'c') AS part", "array(id, id) AS pair")
                .write()
                .parquet(folder.resolve("in").toString());
        Path job = Files.writeString(folder.resolve("job.yaml"), """
                dataset: d
                root: '%s'
                sources: {t: {parquet: '%s'}}
                prepare: {select: {from: t}, key: [id], block: 64 KiB}
                sample:
                  train: {batch: 4, lanes: 2, rows: 24, strata: [{column: part}], weights: {a<b>: 1, c: 1}, on-shortage: repeat}
                """.formatted(folder, folder.resolve("in")));
        StageNames stages = new StageNames();
        spark.sparkContext().addSparkListener(stages);

        StringWriter err = new StringWriter();
        int exitCode = Console.execute(
                Cli.line(new RankfeedJobs()).setErr(new PrintWriter(err, true)),
                "pipeline",
                job.toString(),
                "--run-id",
                "tuesday",
                "--progress",
                "none");
        spark.sparkContext().listenerBus().waitUntilEmpty();
        spark.sparkContext().removeSparkListener(stages);

        assertThat(exitCode).as(err.toString()).isZero();
        String page = Files.readString(folder.resolve("d/runs/tuesday/report.html"));
        assertThat(page)
                .contains("<h1>d</h1>", "committed", "<h2>Sources</h2>", "<h2>Prepared table</h2>", "<h2>Caches</h2>")
                .contains("40 rows in 1 row group", "train: 22 of 40 rows")
                .contains("stage 0, stratum 'c': 12 rows wanted, 10 available, 12 taken, 2 repeats per epoch")
                .containsPattern("source t: 40 rows in (1 file|2 files), before any condition")
                .contains("a&lt;b&gt;")
                .doesNotContain("a<b>", "<script", "src=", "href=", "url(", "cannot be shown")
                .contains("<svg ", "part-00000-00000.parquet")
                .endsWith("</html>\n");
        for (String kind : List.of("prepared", "versions")) {
            try (Stream<Path> folders = Files.list(folder.resolve("d").resolve(kind))) {
                Path artifact = folders.findFirst().orElseThrow();
                String card = Files.readString(artifact.resolve("README.md"));
                assertThat(card).startsWith("---\npretty_name: \"d\"\n");
                assertThat(Files.readString(artifact.resolve("manifest.json"))).contains("\"README.md\"");
            }
        }
        assertThat(stages.names)
                .allMatch(name -> name.matches("(prepare|sample|export): .+"))
                .anyMatch(name -> name.startsWith("prepare: shuffle rows"))
                .anyMatch(name -> name.equals("sample: count the strata of feed train"))
                .anyMatch(name -> name.startsWith("export: shuffle rows"));
        for (String kind : List.of("prepared", "plans", "versions")) {
            refusesAChangedManifest(folder, kind, job);
        }
    }

    /** Every scalar of small manifests: ManifestDigestTest. This one is read by the next phase, or by its own. */
    private static void refusesAChangedManifest(Path folder, String kind, Path job) throws IOException {
        Path manifest;
        try (Stream<Path> folders = Files.list(folder.resolve("d").resolve(kind))) {
            manifest = folders.findFirst().orElseThrow().resolve("manifest.json");
        }
        String text = Files.readString(manifest);
        String changed = text.replaceFirst("\"rows\": ([0-9]*)([0-9])", "\"rows\": $11$2");
        assertThat(changed).isNotEqualTo(text);
        Files.writeString(manifest, changed);
        StringWriter err = new StringWriter();
        int exitCode = Console.execute(
                Cli.line(new RankfeedJobs()).setErr(new PrintWriter(err, true)),
                "pipeline",
                job.toString(),
                "--run-id",
                "changed-" + kind,
                "--progress",
                "none");
        assertThat(exitCode).as(err.toString()).isEqualTo(3);
        assertThat(err.toString()).contains(manifest + ": was changed after it was written");
        Files.writeString(manifest, text);
    }

    @Test
    @Tag("nightly")
    void tableInPlace_wholePipeline_isReportedWithItsFiles(@TempDir Path folder) throws Exception {
        spark.range(40)
                .selectExpr("id", "id % 2 AS half", "array(id, id) AS pair")
                .write()
                .parquet(folder.resolve("in").toString());
        Path job = Files.writeString(folder.resolve("job.yaml"), """
                dataset: d
                root: '%s'
                sources: {t: {parquet: '%s'}}
                prepare: none
                sample:
                  train: {batch: 4, lanes: 2, rows: 16, strata: [{column: half}], balance: [half]}
                """.formatted(folder, folder.resolve("in")));

        assertThat(reported(0, "pipeline", job.toString(), "--dry-run", "--progress", "none"))
                .contains("prepare: 40 rows, 3 columns, none of them written again, in ", "to be made")
                .contains("sample: train: 16 of 40 rows", "export: 3 columns")
                .startsWith("prepare: ");
        assertThat(reported(0, "pipeline", job.toString(), "--dry-run", "--verbose", "--progress", "none"))
                .startsWith("prepare: ")
                .contains("\"dataset\": \"d\"");
        String next =
                "next: rankfeed feed " + folder.resolve("d") + "@wednesday -- torchrun --nproc-per-node 2 train.py";
        assertThat(reported(0, "pipeline", job.toString(), "--run-id", "wednesday", "--progress", "none"))
                .endsWith(next + System.lineSeparator());
        assertThat(reported(0, "inspect", folder.resolve("d") + "@latest")).contains("version ", "of dataset d");
        assertThat(reported(0, "prepare", job.toString(), "--run-id", "thursday", "--progress", "none"))
                .endsWith("next: rankfeed sample " + job + System.lineSeparator());
        assertThat(reported(0, "pipeline", job.toString(), "--dry-run", "--progress", "none"))
                .contains("made already");
        assertThat(Files.readString(folder.resolve("d/runs/wednesday/report.html")))
                .contains("own files; inspect their folder", "40 rows stay in their")
                .doesNotContain("cannot be shown");
        try (Stream<Path> folders = Files.list(folder.resolve("d/prepared"))) {
            Path artifact = folders.findFirst().orElseThrow();
            assertThat(reported(0, "inspect", artifact.toString())).contains("own files; inspect their folder");
        }
        assertThat(reported(0, "inspect", folder.resolve("d").toString())).contains("runs: 2 committed");
        assertThat(reported(0, "inspect", folder.resolve("d/runs/wednesday").toString()))
                .contains("run wednesday: pipeline committed", "export: 16 rows in ");
    }

    private static String reported(int expected, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Console.execute(
                Cli.line(new RankfeedJobs()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)),
                words);
        assertThat(exitCode).as(err.toString()).isEqualTo(expected);
        return expected == 0 ? out.toString() : err.toString();
    }

    /** What Spark's pages call the stages that ran. */
    private static final class StageNames extends SparkListener {
        private final Set<String> names = ConcurrentHashMap.newKeySet();

        @Override
        public void onStageCompleted(SparkListenerStageCompleted stage) {
            names.add(stage.stageInfo().name());
        }
    }

    /** Cluster mode has no exit code that anybody sees: the facts say why. */
    @Test
    void refusal_inClusterMode_isInTheFacts(@TempDir Path folder) throws Exception {
        Path job = Files.writeString(folder.resolve("job.yaml"), """
                dataset: d
                root: '%s'
                sources: {t: {parquet: '%s/none'}}
                prepare: {select: {from: t}, keyy: [id]}
                """.formatted(folder.resolve("root"), folder));
        Path runs = folder.resolve("root/d/runs");
        assertThat(reported(2, "prepare", job.toString(), "--run-id", "client", "--progress", "none"))
                .contains("keyy");
        assertThat(runs).as("in client mode").doesNotExist();
        System.setProperty("spark.submit.deployMode", "cluster");
        try {
            reported(2, "prepare", job.toString(), "--run-id", "typo", "--progress", "none");
            var facts = StrictJson.parse(Files.readAllBytes(runs.resolve("typo/run.json")), "run.json");
            assertThat(facts.path("state").asText()).isEqualTo("failed");
            assertThat(facts.path("exitCode").asInt()).isEqualTo(2);
            assertThat(facts.path("error").asText()).contains("line 4", "keyy");
            for (String id : new String[] {"latest", "..", "../x", "", "a/b"}) {
                assertThat(reported(2, "prepare", job.toString(), "--run-id", id, "--progress", "none"))
                        .contains("keyy");
            }
            reported(2, "prepare", job.toString(), "--run-id", "s3", "--set", "root=s3a://b/x", "--progress", "none");
            assertThat(runs.getParent()).isDirectoryContaining(entry -> entry.equals(runs));
            assertThat(runs).isDirectoryNotContaining(entry -> !entry.endsWith("typo"));
        } finally {
            System.clearProperty("spark.submit.deployMode");
        }
    }

    @Test
    void runIdOrRoot_unusable_isRefused(@TempDir Path folder) throws Exception {
        spark.range(3).write().parquet(folder.resolve("in").toString());
        Path job = Files.writeString(
                folder.resolve("job.yaml"), """
                dataset: d
                root: '%s'
                sources: {t: {parquet: '%s'}}
                prepare: {select: {from: t}, key: [id]}
                """.formatted(folder.resolve("root"), folder.resolve("in")));
        for (String id : new String[] {"latest", "..", "../x", "", "a/b", "x".repeat(201)}) {
            assertThat(reported(2, "prepare", job.toString(), "--run-id", id, "--progress", "none"))
                    .contains("run id '");
        }
        for (String root : new String[] {"s3a://b/x", "gs://b/x", "abfs://a/x", "webhdfs://n/x", "hdsf://n/x"}) {
            assertThat(reported(2, "prepare", job.toString(), "--set", "root=" + root))
                    .contains("root: " + root, "file, hdfs, viewfs");
        }
        assertThat(folder.resolve("root")).doesNotExist();
        assertThat(reported(2, "prepare", job.toString(), "--set", "sources.t.parquet=s3a://b/x", "--progress", "none"))
                .contains("class org.apache.hadoop.fs.s3a.S3AFileSystem is missing", "hadoop-aws");
        assertThat(reported(
                        2, "prepare", job.toString(), "--set", "sources.t.parquet=hdsf://b/x", "--progress", "none"))
                .contains("hdsf");
        assertThat(folder.resolve("root/d/prepared")).doesNotExist();
    }
}
