package io.rankfeed.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.failure.ErrorList;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.run.Sessions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DryRunIT {
    private static final String NARROW = "select: {from: t}";
    private static final String JOINED = "{sql: SELECT a.* FROM t a JOIN t b ON a.id = b.id, key: [id]}";
    private static final String FEEDS = """
            sample:
              train: {batch: 16, lanes: 4, rows: 400, where: 'id >= 100 AND length(tokens) > 4',
                strata: [{column: level, bins: {low: [0, 3], high: [4, 9]}}], weights: {low: 3, high: 1}}
              valid: {kind: sequential, batch: 8, lanes: 4, where: id < 100}
            export: {columns: [id, tokens]}
            """;

    private Path root;
    private SparkSession spark;

    @BeforeAll
    void start(@TempDir Path folder) {
        root = folder;
        spark = LocalSpark.session(2);
        // tokens: 1 to 10 of four bytes; level: 0 to 9.
        spark.range(0, 2000, 1, 2)
                .selectExpr("id", "cast(id % 10 as int) AS level", "sequence(0, cast(id % 10 as int)) AS tokens")
                .write()
                .parquet(folder.resolve("in").toString());
    }

    @Test
    void report_beforeAndAfterPrepare_isTheSame() throws IOException {
        for (String prepare : List.of(NARROW, JOINED)) {
            List<String> before = report(prepare, FEEDS);
            assertThat(filesOfDataset()).isEmpty();
            Prepare.run(context(prepare, FEEDS));
            List<String> after = report(prepare, FEEDS);
            delete();

            assertThat(before.get(0))
                    .startsWith("prepare: 2,000 rows, 3 columns, about ")
                    .endsWith("; to be made");
            assertThat(after.get(0))
                    .startsWith("prepare: 2,000 rows, 3 columns, ")
                    .contains("; made already: ");
            assertThat(after.subList(1, after.size())).isEqualTo(before.subList(1, before.size()));
            assertThat(String.join("\n", before))
                    .contains("sample: train: 400 of 1,710 rows, 1 x 25 steps of 16 rows, stream, world sizes 1 2 4")
                    .containsPattern("sample: +drawn, steps 0-24 +100 +300\n")
                    .containsPattern("sample: +available +1,140 +570\n")
                    .contains("sample: valid: 100 rows in order, 13 steps of 8 rows, world sizes 1 2 4")
                    .contains("export: 2 columns, about ")
                    .containsPattern("export: train: 400 rows in the caches, about [0-9.]+ KiB in 4 lanes")
                    .containsPattern("export: +4 +4 +25 +1 +about [0-9.]+ KiB");
        }
    }

    @Test
    void refusals_ofTheRun_areAllReportedAndNothingIsMade() {
        String job = """
                sample:
                  a: {batch: 16, lanes: 4, rows: 3000}
                  b: {batch: 16, lanes: 4, strata: [{column: level, bins: {low: [0, 3]}}], balance: [level]}
                  c: {batch: 16, lanes: 4, rows: 1600, strata: [{column: level}], weights: {"0": 1}}
                  d: {batch: 16, lanes: 4, where: lvel > 3}
                  e: {batch: 16, lanes: 4, strata: [{column: tokens}], balance: [tokens]}
                  f: {batch: 16, lanes: 4, strata: [{column: level}], weights: {"11": 1}}
                export: {columns: [id, tokns]}
                """;
        assertThatThrownBy(() -> report(NARROW, job)).satisfies(e -> assertThat(
                        ErrorList.all(e).map(Throwable::getMessage))
                .satisfiesExactly(
                        a -> assertThat(a).startsWith("feed 'a': ").contains("wants 3000 rows, the table has 2000"),
                        b -> assertThat(b)
                                .startsWith("feed 'b': values of strata column 'level' are unbinned: 4 in 200 rows"),
                        c -> assertThat(c)
                                .startsWith("feed 'c': stratum '0': epoch 0 wants 1600 rows, the table has 200"),
                        d -> assertThat(d).startsWith("feed 'd', where: ").contains("lvel"),
                        e1 -> assertThat(e1).startsWith("feed 'e': strata column 'tokens' is binary"),
                        f -> assertThat(f).startsWith("feed 'f': weight '11' names nothing that occurs"),
                        g -> assertThat(g)
                                .startsWith("export.columns: no field 'tokns'")
                                .contains("did you mean 'tokens'")));
        assertThat(root.resolve("out")).doesNotExist();
    }

    @Test
    void formats_areListedOrRefusedWithTheirColumn() {
        String feeds =
                FEEDS.replace("export: {", "export: {formats: [lanes, {format: mds, ranks: 2, shard-rows: 30}], ");
        assertThat(report(NARROW, feeds))
                .anyMatch(line -> line.startsWith("export: mds: train: 400 rows, about ")
                        && line.endsWith(" in 14 parts for 2 ranks"));
        String job = FEEDS.replace(
                "export: {columns: [id, tokens]", "export: {formats: [lanes, {format: mds, columns: [level, lvel]}]");
        assertThatThrownBy(() -> report(NARROW, job))
                .hasMessageStartingWith("export.formats: mds: columns: no field 'lvel'")
                .hasMessageContaining("did you mean 'level'");
        assertThat(root.resolve("out")).doesNotExist();
    }

    @Test
    void feedCondition_nondeterministicOrOnOtherTable_isRefused() {
        spark.range(3).createOrReplaceTempView("elsewhere");
        for (String where : List.of("rand() < 0.5", "id > hour(now())", "id IN (SELECT id FROM elsewhere)")) {
            assertThatThrownBy(() -> report(NARROW, "sample: {a: {batch: 16, lanes: 4, where: '" + where + "'}}"))
                    .hasMessageStartingWith("feed 'a', where: ");
        }
    }

    @Test
    void session_otherZoneAndSettings_isTheSame() {
        TimeZone here = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
        try {
            spark.conf().unset("spark.sql.session.timeZone");
            spark.conf().set("spark.sql.ansi.enabled", "false");
            spark.conf().set("spark.sql.caseSensitive", "true");
            assertThat(spark.conf().get("spark.sql.session.timeZone")).isEqualTo("Asia/Kolkata");
            SparkSession ours = Sessions.of("test", spark.sparkContext().getConf(), Set.of());
            assertThat(ours.sql("SELECT string(timestamp_seconds(0))").first().getString(0))
                    .isEqualTo("1970-01-01 00:00:00");
            assertThat(ours.conf().get("spark.sql.ansi.enabled")).isEqualTo("true");
            assertThat(ours.conf().get("spark.sql.caseSensitive")).isEqualTo("false");
        } finally {
            TimeZone.setDefault(here);
        }
    }

    @Test
    void query_withoutRows_isRefused() {
        assertThatThrownBy(() -> report("select: {from: t, where: id < 0}", FEEDS))
                .hasMessageContaining("the query gives no rows");
    }

    private List<String> report(String prepare, String feeds) {
        List<String> lines = new ArrayList<>();
        DryRun.report(Goal.PIPELINE, context(prepare, feeds), lines::add);
        return lines;
    }

    private JobContext context(String prepare, String feeds) {
        String yaml = "dataset: d\nroot: '" + root.resolve("out") + "'\nsources: {t: {parquet: '" + root.resolve("in")
                + "'}}\nprepare: " + (prepare.startsWith("{") ? prepare : "{" + prepare + "}") + "\n" + feeds;
        return JobContext.of(
                spark, JobFile.read("job.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }

    private List<Path> filesOfDataset() throws IOException {
        if (!Files.exists(root.resolve("out"))) {
            return List.of();
        }
        try (Stream<Path> walk = Files.walk(root.resolve("out"))) {
            return walk.filter(Files::isRegularFile).toList();
        }
    }

    private void delete() throws IOException {
        try (Stream<Path> walk = Files.walk(root.resolve("out"))) {
            for (Path path : walk.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }
}
