package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.sample.strata.QuantileEdges;
import io.rankfeed.spark.sample.table.PreparedFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strata from expressions and quantiles, and what is kept of the planner's decisions. */
class StrataIT extends SampledTable {
    @Test
    void quantiles_ofNumbers_areExactRanks() {
        TrainFeed feed = feed(
                "rows: 800, where: score IS NOT NULL, strata: [{column: score, quantiles: 4}]," + " balance: [score]");
        List<Double> scores = table(row -> row.score() != null).stream()
                .map(row -> Objects.requireNonNull(row.score()))
                .sorted()
                .toList();
        assertThat(feed.strata().stream().map(Stratum::name)).containsExactly("q1", "q2", "q3", "q4");
        int n = scores.size();
        List<Double> ends =
                List.of(scores.get((n + 3) / 4 - 1), scores.get((n + 1) / 2 - 1), scores.get((3 * n + 3) / 4 - 1));
        assertThat(feed.strata().get(0).available())
                .isEqualTo(scores.stream().filter(score -> score <= ends.get(0)).count());
        assertThat(feed.strata().get(3).available())
                .isEqualTo(scores.stream().filter(score -> score > ends.get(2)).count());
        FeedDecisions decisions = decisions(
                "rows: 800, where: score IS NOT NULL," + " strata: [{column: score, quantiles: 4}], balance: [score]");
        assertThat(decisions.edges()).extracting(FeedDecisions.Edge::bin).containsExactly("q1", "q2", "q3", "q4");
        assertThat(decisions.edges().subList(0, 3))
                .extracting(edge -> Double.parseDouble(edge.atMost()))
                .isEqualTo(ends);
        assertThat(Double.parseDouble(decisions.edges().get(3).atMost())).isEqualTo(scores.get(n - 1));
    }

    @Test
    @Tag("nightly")
    void namedQuantiles_ofExpression_haveTheirShares() {
        String sample = "rows: 800, strata: [{sql: \"CAST(id % 1000 AS INT) - 500\", name: turn,"
                + " quantile-bins: {low: 1, high: 3}}], weights: {low: 1, high: 1}";
        TrainFeed feed = feed(sample);
        // The 3,000 ids hold every remainder three times.
        assertThat(feed.strata().get(1).available()).isEqualTo(750);
        assertThat(decisions(sample).edges())
                .containsExactly(
                        new FeedDecisions.Edge("turn", "low", "-251"), new FeedDecisions.Edge("turn", "high", "499"));
    }

    @Test
    void expression_makesStrataAndUnbinnedRowsTheirOwn() {
        TrainFeed feed = feed("rows: 80, strata: [{sql: \"length(part) > 5\", name: long}, {column: difficulty,"
                + " bins: {easy: [1, 3], hard: [4, 9]}, on-unbinned: own}],"
                + " weights: {false/easy: 3, false/hard: 4, false/unbinned: 1}");
        assertThat(feed.strata().stream().map(Stratum::name))
                .containsExactly("false/easy", "false/hard", "false/unbinned");
        assertThat(feed.strata().get(2).available())
                .isEqualTo(table(row -> row.difficulty() == -1).size());
    }

    @Test
    void edges_equalThoseOfTheSortedList() {
        compareEdges(3);
    }

    @Tag("nightly")
    @Test
    void edges_ofMoreValues_equalThoseOfTheSortedList() {
        compareEdges(24);
    }

    private void compareEdges(int tables) {
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < tables; i++) {
            int kind = i % 3;
            long[] values = random.longs(random.nextInt(1, 400))
                    .map(value -> kind == 0 ? value : kind == 1 ? value % 5 : value >> random.nextInt(64))
                    .toArray();
            List<Row> rows = LongStream.of(values)
                    .mapToObj(value -> RowFactory.create(value))
                    .toList();
            List<Long> ranks = random.longs(random.nextInt(1, 5), 0, values.length)
                    .sorted()
                    .boxed()
                    .toList();
            Dataset<Row> table = spark.createDataFrame(rows, new StructType().add("at", DataTypes.LongType));
            long positive = LongStream.of(values).filter(value -> value > 0).count();
            List<QuantileEdges.Found> found = QuantileEdges.scanned(
                    table,
                    List.of(
                            new QuantileEdges.Order(lit(true), col("at"), n -> ranks),
                            new QuantileEdges.Order(col("at").gt(0), col("at"), n -> List.of(n / 2))));
            Arrays.sort(values);
            List<Long> expected = new ArrayList<>();
            ranks.forEach(rank -> expected.add(values[rank.intValue()]));
            expected.add(values[values.length - 1]);
            assertThat(found.get(0))
                    .as("seed 8, case %d", i)
                    .isEqualTo(new QuantileEdges.Found(values.length, 0, expected));
            assertThat(found.get(1).rows()).as("seed 8, case %d", i).isEqualTo(positive);
            assertThat(found.get(1).ends())
                    .as("seed 8, case %d", i)
                    .isEqualTo(
                            positive == 0
                                    ? List.of()
                                    : List.of(
                                            values[values.length - (int) (positive - positive / 2)],
                                            values[values.length - 1]));
        }
    }

    @Test
    @Tag("nightly")
    void quantiles_ofTwoFeeds_shareTheirScans() {
        String easy = "easy: {batch: 8, lanes: 4, where: score IS NOT NULL AND difficulty > 0, rows: 80,"
                + " strata: [{column: score, quantiles: 3}], balance: [score], stages: [{order-by: score}]}";
        String hard = "hard: {batch: 8, lanes: 4, where: score IS NOT NULL AND difficulty = 7, rows: 80,"
                + " strata: [{column: score, quantiles: 4}], balance: [score]}";
        long alone = jobsOf("quantiles of one", easy);
        assertThat(jobsOf("quantiles of both", easy + ", " + hard))
                .isEqualTo(alone)
                .isPositive();
        // They are of each feed's own rows all the same.
        assertThat(edges(easy + ", " + hard, "easy"))
                .isEqualTo(edges(easy, "easy"))
                .hasSize(3);
        assertThat(edges(easy + ", " + hard, "hard"))
                .isEqualTo(edges(hard, "hard"))
                .hasSize(4);
    }

    private List<FeedDecisions.Edge> edges(String feeds, String of) {
        Plan plan = Sample.run(PreparedFixture.context(spark, root, "sample: {" + feeds + "}"), prepared);
        return Objects.requireNonNull(plan.decisions().get(of)).edges();
    }

    /** How many Spark jobs find the quantiles of these feeds. */
    private long jobsOf(String group, String feeds) {
        JobContext context = PreparedFixture.context(spark, root, "sample: {" + feeds + "}");
        PreparedFrame frame = PreparedFrame.open(context, prepared);
        List<FeedPlanner> planners = new ArrayList<>();
        context.job()
                .sample()
                .forEach((name, section) ->
                        planners.add(new FeedPlanner(frame.rows(), name, section, UnaryOperator.identity())));
        spark.sparkContext().setJobGroup(group, group, false);
        try {
            FeedPlanner.quantiles(planners);
            return spark.sparkContext().statusTracker().getJobIdsForGroup(group).length;
        } finally {
            spark.sparkContext().clearJobGroup();
        }
    }

    @Test
    void shortage_isInTheManifestAndReported() {
        String sample = "rows: 2000, seed: 1, strata: [{column: correct}], stages: [{until-step: 50,"
                + " weights: {\"true\": 1, \"false\": 3}}, {weights: {\"true\": 9, \"false\": 1}}],"
                + " on-shortage: redistribute";
        long correct = table(TableRow::correct).size();
        List<FeedDecisions.Shortage> shortages = decisions(sample).shortages();
        assertThat(shortages).hasSize(2);
        FeedDecisions.Shortage lacks = shortages.get(1);
        assertThat(lacks.stratum()).isEqualTo("true");
        assertThat(lacks.stage()).isEqualTo(1);
        assertThat(lacks.wanted()).isEqualTo(1440);
        assertThat(lacks.available()).isEqualTo(correct);
        assertThat(lacks.taken()).isEqualTo(correct / 4 * 4 - 100);
        assertThat(shortages.get(0).taken() - shortages.get(0).wanted()).isEqualTo(lacks.wanted() - lacks.taken());
        List<FeedReport> reports = Sample.preview(context(sample), prepared, new ConfigErrors());
        assertThat(String.join("\n", reports.get(0).lines()))
                .contains("stage 1, stratum 'true': 1,440 rows wanted, ")
                .contains(" instead of other strata");

        ConfigErrors refusals = new ConfigErrors();
        String lines = String.join(
                "\n",
                Sample.preview(context(sample.replace("redistribute", "error")), prepared, refusals)
                        .get(0)
                        .lines());
        assertThat(refusals.isEmpty()).isFalse();
        // What is refused was not done: no row is said to be taken, or to come again.
        assertThat(lines).contains("too few").doesNotContain("taken", "again");
    }

    @Test
    void stage_withCondition_drawsOnlyItsRows() {
        String sample = "rows: 480, strata: [{column: correct}], stages: [{rows: 160, where: id % 4 = 0,"
                + " weights: {\"true\": 1, \"false\": 1}}, {weights: {\"true\": 1, \"false\": 1}}]";
        TrainFeed feed = feed(sample);
        assertThat(feed.strata().stream().map(Stratum::name))
                .containsExactly("false/stages 0,1", "false/stages 1", "true/stages 0,1", "true/stages 1");
        assertThat(feed.segments().get(0).quotas()).containsExactly(20L, 0L, 20L, 0L);
        List<Long> second = feed.segments().get(1).quotas();
        assertThat(second.get(0) + second.get(1)).isEqualTo(40);
        assertThat(second.get(0)).isBetween(9L, 11L);
        Map<Integer, List<TableRow>> rows = rowsByStratum(sample);
        for (int s = 0; s < 4; s++) {
            boolean divisible = s % 2 == 0;
            boolean correct = s > 1;
            assertThat(rows.get(s))
                    .isNotEmpty()
                    .allMatch(row -> row.id() % 4 == 0 == divisible && row.correct() == correct);
        }
    }

    @Test
    @Tag("nightly")
    void stages_withConditions_needNoStrata() {
        TrainFeed feed = feed("stages: [{rows: 80, where: part = 'valid'}, {rows: 160, where: id % 2 = 0}]");
        assertThat(feed.stepsPerEpoch()).isEqualTo(30);
        assertThat(feed.strata().stream().map(Stratum::name)).containsExactly("stages 0", "stages 1");
    }

    @Test
    void rareCategories_areDrawnAsOneByTheirShare() {
        String category = "strata: [{sql: \"IF(id % 100 < 40, CAST(id % 100 AS STRING), 'common')\", name: category}],"
                + " proportional: [category]";
        assertThatThrownBy(() -> feed("rows: 160, " + category))
                .hasMessageContaining("is under one unit of 4 rows")
                .hasMessageContaining("on-rare: rest");
        String sample = "rows: 160, on-rare: rest, " + category;
        TrainFeed feed = feed(sample);
        assertThat(feed.strata().stream().map(Stratum::name)).containsExactly("common", "rest");
        assertThat(feed.strata().get(1).available()).isEqualTo(1200);
        assertThat(feed.segments().get(0).quotas()).containsExactly(24L, 16L);
        assertThat(decisions(sample).rest()).hasSize(40);
        assertThat(rowsByStratum(sample).get(1)).hasSize(64).allMatch(row -> row.id() % 100 < 40);
        assertThat(decisions("rows: 160, on-rare: leave-out, " + category).leftOut())
                .isNotEmpty()
                .allMatch(left -> left.stage() == 0 && !left.stratum().equals("common"));
        assertThat(feed("rows: 160, on-rare: leave-out, " + category).segments().get(0).quotas().stream()
                        .mapToLong(units -> units)
                        .sum())
                .isEqualTo(40);
    }

    /** The second stage of three goes by difficulty: in it each lane meets a stratum's rows from easy to hard. */
    @Test
    void orderedStage_goesFromEasyToHard() {
        String sample = "rows: 960, seed: 4, strata: [{column: correct}], balance: [correct], where: difficulty > 0,"
                + " stages: [{rows: 160}, {rows: 640, order-by: difficulty}, {rows: 160}]";
        Plan plan = Sample.run(context(sample), prepared);
        TrainFeed feed = (TrainFeed) plan.order().feed("train").orElseThrow();
        Map<Integer, List<TableRow>> rows = rowsByStratum(sample);
        for (int s = 0; s < 2; s++) {
            List<TableRow> list = rows.get(s);
            assertThat(list).hasSize(480);
            List<Integer> second =
                    list.subList(80, 400).stream().map(TableRow::difficulty).toList();
            assertThat(second).isSorted().contains(1, 9);
            assertThat(list.subList(0, 80).stream().map(TableRow::difficulty).toList())
                    .isNotEqualTo(list.subList(0, 80).stream()
                            .map(TableRow::difficulty)
                            .sorted()
                            .toList());
            // The hash alone says which rows a stage has, and in which order where it has none.
            List<TableRow> byHash =
                    table(row -> row.difficulty() > 0
                                    && row.correct() == list.get(0).correct())
                            .stream()
                            .sorted(Comparator.comparingLong(row -> row.priority(4) ^ Long.MIN_VALUE))
                            .limit(480)
                            .toList();
            assertThat(list.subList(0, 80)).isEqualTo(byHash.subList(0, 80));
            assertThat(list.subList(80, 400)).containsExactlyInAnyOrderElementsOf(byHash.subList(80, 400));
            assertThat(list.subList(400, 480)).isEqualTo(byHash.subList(400, 480));
        }
        EpochOrder order = new EpochOrder(feed, 0, 4);
        BatchRows batch = new BatchRows(order.rowsPerBatch());
        int[] before = {0, 0};
        for (long step = 20; step < 100; step++) {
            order.fill(step, batch);
            for (int s = 0; s < 2; s++) {
                int stratum = s;
                int[] difficulties = IntStream.range(0, batch.size())
                        .filter(i -> batch.stratum(i) == stratum)
                        .map(i -> rows.get(stratum).get((int) batch.index(i)).difficulty())
                        .sorted()
                        .toArray();
                for (int difficulty : difficulties) {
                    assertThat(difficulty).isGreaterThanOrEqualTo(before[s]);
                    before[s] = difficulty;
                }
            }
        }
        assertThatThrownBy(
                        () -> feed("rows: 4800, strata: [{column: correct}], balance: [correct], on-shortage: repeat,"
                                + " where: difficulty > 0, stages: [{order-by: difficulty}]"))
                .hasMessageContaining("stage 0, order-by: stratum 'false' has")
                .hasMessageContaining("are repeated in no order");
    }

    private Map<Integer, List<TableRow>> rowsByStratum(String feed) {
        Plan plan = Sample.run(context(feed), prepared);
        String file = new org.apache.hadoop.fs.Path(plan.path(), Plan.rowsFile("train", 0)).toString();
        return spark.read().parquet(file).collectAsList().stream()
                .collect(Collectors.groupingBy(
                        row -> row.getInt(0),
                        Collectors.mapping(
                                row -> new TableRow(row.getInt(5) * PreparedFixture.FILE_ROWS + (int) row.getLong(6)),
                                Collectors.toList())));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            strata: [{column: difficulty, quantiles: 8}], balance: [difficulty]                   | so many rows have the value 7
            strata: [{sql: (SELECT max(id) FROM t), name: most}], balance: [most]                 | strata column 'most', sql
            stages: [{rows: 80, order-by: score}]                                                 | order-by has no value in 273 rows
            """)
    void strata_impossible_areRefused(String feed, String message) {
        assertThatThrownBy(() -> feed((feed.startsWith("stages") ? "" : "rows: 80, ")
                        + feed.replaceAll("sql: (.*), name", "sql: \"$1\", name")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            stages: [{rows: 80, where: id < 0}, {rows: 80}]                                       | stage 0: no row is taken by its where
            strata: [{column: score, quantiles: 2}], balance: [score]                             | 'score' has no value in 273 rows
            stages: [{rows: 80, where: id + 1}]                                                   | is not a condition
            strata: [{column: part, quantiles: 2}], balance: [part]                               | is string; only numbers have bins
            strata: [{sql: rand() > 0.5, name: luck}], balance: [luck]                            | differs between runs
            strata: [{sql: sum(id), name: all}], balance: [all]                                   | is not an expression of one row
            strata: [{sql: row_number() OVER (ORDER BY id), name: nth}], balance: [nth]           | is not an expression of one row
            strata: [{sql: diffculty > 3, name: hard}], balance: [hard]                           | diffculty
            stages: [{rows: 80, order-by: part}]                                                  | is string; easy to hard goes by a number
            stages: [{rows: 80, where: idd > 1}]                                                  | idd
            strata: [{sql: id / 7, name: ratio}], balance: [ratio]                                | whose values make no strata
            """)
    void moreStrata_impossible_areRefused(String feed, String message) {
        strata_impossible_areRefused(feed, message);
    }

    private static List<TableRow> table(Predicate<TableRow> where) {
        return IntStream.range(0, PreparedFixture.ROWS)
                .mapToObj(TableRow::new)
                .filter(where)
                .toList();
    }

    private TrainFeed feed(String feed) {
        return (TrainFeed)
                Sample.run(context(feed), prepared).order().feed("train").orElseThrow();
    }

    private FeedDecisions decisions(String feed) {
        Plan plan = Sample.run(context(feed), prepared);
        Map<String, FeedDecisions> decisions =
                PlanFolder.manifest(context(feed), plan.path()).decisions();
        assertThat(plan.decisions()).isEqualTo(decisions);
        return Objects.requireNonNull(decisions.get("train"));
    }

    private JobContext context(String feed) {
        return PreparedFixture.context(spark, root, "sample: {train: {batch: 8, lanes: 4, " + feed + "}}");
    }
}
