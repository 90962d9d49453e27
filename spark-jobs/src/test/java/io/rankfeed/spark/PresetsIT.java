package io.rankfeed.spark;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.Sample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The job files for solutions of contests, over a table in the shape of `generate codecontests`. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PresetsIT {
    private Path root;
    private SparkSession spark;

    @BeforeAll
    void start(@TempDir Path folder) {
        root = folder;
        spark = LocalSpark.session(2);
        solutions(0, 12_000, "in");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = "critic     | 1536 | 256         256       256         256         256       256")
    void preset_dryRun_reportsExactShares(String name, int rows, String reported) throws IOException {
        List<String> sets = List.of("sample.train.rows=" + rows);
        List<String> out = new ArrayList<>();
        DryRun.report(Goal.PIPELINE, context(name, "in", "out", sets), out::add);

        assertThat(out)
                .anyMatch(line -> line.startsWith("sample: train: " + String.format("%,d", rows)))
                .anyMatch(line -> line.startsWith("export: valid: "));
        assertThat(String.join("\n", out).replaceAll(" +", " ")).contains(reported.replaceAll(" +", " "));
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "baseline   | 1024 | 1,024 of",
                "verifiable | 1280 | drawn, steps 6-13",
            })
    void morePresets_dryRun_reportExactShares(String name, int rows, String reported) throws IOException {
        preset_dryRun_reportsExactShares(name, rows, reported);
    }

    @Test
    @Tag("nightly")
    void pairs_anyPartitions_areUniqueAndOnOneSide() throws IOException {
        PreparedTable table = Prepare.run(context("pairs", "in", "one", List.of()));
        spark.conf().set("spark.sql.shuffle.partitions", "7");
        PreparedTable again = Prepare.run(context("pairs", "in", "seven", List.of()));
        spark.conf().set("spark.sql.shuffle.partitions", "2");
        assertThat(digests(again)).isEqualTo(digests(table));

        Map<String, String> sideOf = sidesOf(rows(table));

        solutions(0, 15_000, "grown");
        rows(Prepare.run(context("pairs", "grown", "grown-out", List.of())))
                .forEach(pair -> assertThat(sideOf.getOrDefault(pair.getString(2), pair.getString(3)))
                        .isEqualTo(pair.getString(3)));
    }

    @Test
    void pairsOfLikeLength_areInOneBin() throws IOException {
        List<Row> pairs = rows(Prepare.run(context("pairs-like-length", "in", "like", List.of())));
        sidesOf(pairs);
        assertThat(pairs)
                .allMatch(pair -> lengthOf(pair.getString(0)) / 256 == lengthOf(pair.getString(1)) / 256)
                .anyMatch(pair -> lengthOf(pair.getString(0)) < 256)
                .anyMatch(pair -> lengthOf(pair.getString(0)) >= 512);
    }

    /** As docs/job-file/feeds.md caps the rows of a group: prepared once with their positions, and each feed says how many it takes. */
    @Test
    void cappedFeed_higherCap_keepsTheRowsOfTheLower() throws IOException {
        JobContext context = capped(5, 9);
        PreparedTable table = Prepare.run(context);
        Map<Long, Set<String>> few = ofProblem(Sample.run(context, table), table, "train");
        assertThat(few.values()).allMatch(rows -> rows.size() == 5);
        assertThat(few.keySet()).hasSizeGreaterThan(100);
        Map<Long, Set<String>> valid = ofProblem(Sample.run(context, table), table, "valid");
        assertThat(valid.values()).allMatch(rows -> rows.size() == 9);
        assertThat(valid.keySet()).isNotEmpty().doesNotContainAnyElementsOf(few.keySet());

        JobContext wider = capped(7, 9);
        Map<Long, Set<String>> more = ofProblem(Sample.run(wider, table), table, "train");
        assertThat(more.keySet()).isEqualTo(few.keySet());
        more.forEach(
                (problem, rows) -> assertThat(rows).hasSize(7).containsAll(Objects.requireNonNull(few.get(problem))));
    }

    private JobContext capped(int train, int valid) {
        String yaml = """
                dataset: capped
                root: %s
                sources:
                  solutions: {parquet: %s}
                prepare:
                  sql: |
                    SELECT *, rf_split('train=90, valid=10', problem) AS side,
                           row_number() OVER (PARTITION BY problem ORDER BY rf_hash('caps', task_id), task_id) AS position
                    FROM solutions
                  key: [task_id]
                sample:
                  train: {where: "side = 'train' AND position <= %d", batch: 1, lanes: 1}
                  valid: {where: "side = 'valid' AND position <= %d", batch: 1, lanes: 1}
                """.formatted(root.resolve("capped"), root.resolve("in"), train, valid);
        return JobContext.of(
                spark, JobFile.read("capped.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }

    /** The keys of a feed's rows, by problem. */
    private Map<Long, Set<String>> ofProblem(Plan plan, PreparedTable table, String feed) {
        Map<Long, Set<String>> keys = new HashMap<>();
        spark.read()
                .parquet(plan.path() + "/" + Plan.rowsFile(feed, 0))
                .join(
                        spark.read().parquet(table.path() + "/data"),
                        col("row_id").equalTo(col("_row_id")))
                .select("problem", "task_id")
                .collectAsList()
                .forEach(row -> keys.computeIfAbsent(row.getLong(0), problem -> new HashSet<>())
                        .add(row.getString(1)));
        return keys;
    }

    /** By problem the side of the split; pairs must be unique, of one problem, on one side, and at most 8 of a problem. */
    private static Map<String, String> sidesOf(List<Row> pairs) {
        assertThat(pairs).hasSizeGreaterThan(1000);
        Map<String, Integer> ofProblem = new HashMap<>();
        Map<String, String> sideOf = new HashMap<>();
        for (Row pair : pairs) {
            String problem = pair.getString(2);
            assertThat(pair.getString(0)).startsWith(problem + "_correct_");
            assertThat(pair.getString(1)).startsWith(problem + "_incorrect_");
            assertThat(ofProblem.merge(problem, 1, Integer::sum)).isLessThanOrEqualTo(8);
            assertThat(Objects.requireNonNullElse(sideOf.put(problem, pair.getString(3)), pair.getString(3)))
                    .isEqualTo(pair.getString(3));
        }
        assertThat(ofProblem).containsValue(8);
        assertThat(pairs.stream().map(pair -> pair.getString(0)).distinct()).hasSameSizeAs(pairs);
        assertThat(pairs.stream().map(pair -> pair.getString(1)).distinct()).hasSameSizeAs(pairs);
        assertThat(sideOf.values()).contains("train", "valid");
        return sideOf;
    }

    /** Of a solution's output, as {@link #solutions} makes it. */
    private static int lengthOf(String taskId) {
        return 10 + Integer.parseInt(taskId.substring(taskId.lastIndexOf('_') + 1)) * 37 % 900;
    }

    private JobContext context(String name, String input, String out, List<String> sets) throws IOException {
        Path file = Path.of("..", "conf", "jobs", name + ".yaml");
        List<String> all = new ArrayList<>(sets);
        all.add("root=" + root.resolve(out));
        all.add("sources.solutions.parquet=" + root.resolve(input));
        return JobContext.of(spark, JobFile.read(file.toString(), Files.readAllBytes(file), all), Progress.NONE);
    }

    private List<Row> rows(PreparedTable table) {
        return spark.read()
                .parquet(table.path() + "/data")
                .select("correct_id", "incorrect_id", "problem_id", "split")
                .collectAsList();
    }

    private static Map<String, String> digests(PreparedTable table) throws IOException {
        Path folder = Path.of(table.path().toUri().getPath());
        Map<String, String> digests = new HashMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                digests.put(folder.relativize(file).toString(), Sha256.hex(file));
            }
        }
        return digests;
    }

    private void solutions(long from, long to, String folder) {
        spark.range(from, to, 1, 3)
                .selectExpr("id", "id DIV 40 AS problem", "hash(id) % 2 = 0 AS is_correct")
                .selectExpr(
                        "problem",
                        "concat(problem, '_A_', if(is_correct, 'correct_', 'incorrect_'), id) AS task_id",
                        "if(problem % 5 = 0, 'valid', 'train') AS split",
                        "is_correct",
                        "cast(element_at(array(1, 2, 6, 7, 11, -1), cast(1 + problem % 6 as int)) as int) AS difficulty",
                        "concat('solve ', problem) AS instruction",
                        "'1 2 3' AS input",
                        "repeat('x', cast(10 + id * 37 % 900 as int)) AS output")
                .write()
                .parquet(root.resolve(folder).toString());
    }
}
