package io.rankfeed.spark.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.ErrorList;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleIT extends SampledTable {
    private static final String CURRICULUM = """
            sample:
              train:
                where: part = 'train'
                batch: 16
                lanes: 4
                rows: 600
                epochs: 2
                seed: 42
                strata:
                  - {column: difficulty, bins: {low: [1, 3], med: [4, 7], high: [8, 11]}, on-unbinned: drop}
                stages:
                  - {until: 0.3, weights: {low: 70, med: 30, high: 0}}
                  - {until: 1.0, weights: {low: 10, med: 50, high: 40}}
                on-shortage: repeat
            """;

    @Test
    void pools_areTheRowsOfLowestPriorityInListOrder() {
        Plan plan = Sample.run(context(CURRICULUM), prepared);
        TrainFeed feed = (TrainFeed) plan.order().feed("train").orElseThrow();

        assertThat(feed.strata().stream().map(Stratum::name)).containsExactly("high", "low", "med");
        Map<String, List<TableRow>> expected = IntStream.range(0, PreparedFixture.ROWS)
                .mapToObj(TableRow::new)
                .filter(row -> row.part().equals("train") && row.difficulty() > 0)
                .sorted(Comparator.comparingLong(row -> row.priority(42) ^ Long.MIN_VALUE))
                .collect(Collectors.groupingBy(SampleIT::bin));
        LaneLayout layout = new LaneLayout(
                4,
                feed.strata().stream()
                        .map(s -> new Stratum(s.name(), s.available(), s.rows()))
                        .toList());
        List<Row> rows = rows(plan, "train");
        int at = 0;
        boolean partial = false;
        for (int s = 0; s < 3; s++) {
            Stratum stratum = feed.strata().get(s);
            List<TableRow> list = expected.get(stratum.name());
            assertThat(stratum.available()).isEqualTo(list.size());
            partial |= stratum.rows() > 0 && stratum.rows() < stratum.available();
            for (int index = 0; index < stratum.rows(); index++) {
                TableRow row = list.get(index);
                assertThat(rows.get(at++).mkString(","))
                        .isEqualTo(line(s, index, layout.lane(s, index), layout.ordinal(s, index), row));
            }
        }
        assertThat(rows).hasSize(at);
        assertThat(partial).as("some stratum is larger than its pool").isTrue();
    }

    @Test
    void manifest_listsTheFilesAndSecondRunChangesNothing() throws IOException {
        Plan plan = Sample.run(context(CURRICULUM), prepared);
        Path folder = Path.of(plan.path().toUri().getPath());
        Map<String, String> digests = PreparedFixture.digests(folder);

        assertThat(digests.keySet())
                .containsExactlyInAnyOrder("manifest.json", "order.json", "selection.json", "rows/train-00000.parquet");
        Manifest manifest = PlanFolder.manifest(context(CURRICULUM), plan.path());
        manifest.files()
                .forEach(file -> assertThat(digests).containsEntry(file.path().value(), file.sha256()));
        assertThat(Sample.run(context(CURRICULUM), prepared)).isEqualTo(plan);
        assertThat(PreparedFixture.digests(folder)).isEqualTo(digests);
    }

    @Test
    void plannedOrder_isTheOrderOfTheTable() {
        Plan plan = Sample.run(
                context("sample: {train: {batch: 4, lanes: 2, rows: 500, seed: 5, order: planned}}"), prepared);
        List<TableRow> chosen = IntStream.range(0, PreparedFixture.ROWS)
                .mapToObj(TableRow::new)
                .sorted(Comparator.comparingLong(row -> row.priority(5) ^ Long.MIN_VALUE))
                .limit(500)
                .sorted(Comparator.comparingInt(TableRow::n))
                .toList();

        List<Row> rows = rows(plan, "train");
        assertThat(rows).hasSize(500);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).mkString(",")).isEqualTo(line(0, i, i % 2, i / 2, chosen.get(i)));
        }
    }

    @Test
    void sequentialFeed_isEveryRowInTheOrderOfTheTable() {
        Plan plan = Sample.run(
                context("sample: {valid: {kind: sequential, where: part = 'valid', batch: 8, lanes: 4}}"), prepared);
        SequentialFeed feed = (SequentialFeed) plan.order().feed("valid").orElseThrow();

        assertThat(feed.rows()).isEqualTo(PreparedFixture.ROWS / 10);
        assertThat(feed.steps()).isEqualTo(38);
        List<Row> rows = rows(plan, "valid");
        assertThat(rows).hasSize(300);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).mkString(",")).isEqualTo(line(0, i, i % 4, i / 4, new TableRow(10 * i + 9)));
        }
    }

    @Test
    void balancedFeed_hasEqualSharesOfEachValue() {
        Plan plan = Sample.run(
                context("sample: {train: {batch: 8, lanes: 4, rows: 1000, strata: [{column: correct}],"
                        + " balance: [correct]}}"),
                prepared);
        TrainFeed feed = (TrainFeed) plan.order().feed("train").orElseThrow();

        assertThat(feed.strata().stream().map(Stratum::name)).containsExactly("false", "true");
        assertThat(feed.strata().stream().map(Stratum::rows)).containsExactly(500L, 500L);
    }

    @Test
    void margins_withFloorsAndCaps_holdExactly() {
        String sample = "sample: {train: {batch: 8, lanes: 4, rows: 800, seed: 3, strata: [{column: correct},"
                + " {column: difficulty, bins: {low: [1, 3], med: [4, 7], high: [8, 11]}, on-unbinned: drop}],"
                + " margins: {correct: {true: 50, false: 50}, difficulty: {low: 60, med: 30, high: 10}},"
                + " floors: {true/low: 0.33}, caps: {true/high: 0.02}}}";
        List<FeedReport> reports = Sample.preview(context(sample), prepared, new ConfigErrors());
        TrainFeed feed = (TrainFeed)
                Sample.run(context(sample), prepared).order().feed("train").orElseThrow();

        assertThat(feed.strata().stream().map(Stratum::name))
                .containsExactly("false/high", "false/low", "false/med", "true/high", "true/low", "true/med");
        List<Long> rows =
                feed.segments().get(0).quotas().stream().map(units -> units * 4).toList();
        assertThat(rows.get(0) + rows.get(1) + rows.get(2)).isEqualTo(400);
        assertThat(rows.get(1) + rows.get(4)).isEqualTo(480);
        assertThat(rows.get(2) + rows.get(5)).isEqualTo(240);
        assertThat(rows.get(3)).isLessThanOrEqualTo(16);
        assertThat(rows.get(4)).isGreaterThanOrEqualTo(264);
        assertThat(String.join("\n", reports.get(0).lines()))
                .containsPattern("by correct +false +true\n +drawn, steps 0-99 +400 +400")
                .containsPattern("by difficulty +high +low +med\n +drawn, steps 0-99 +80 +480 +240");
    }

    @Test
    void preview_reportsAndWritesNothing() throws IOException {
        String sample = "sample: {seen: {batch: 100, lanes: 4, seed: 99}}";
        Map<String, String> before = PreparedFixture.digests(root);

        ConfigErrors refusals = new ConfigErrors();
        List<FeedReport> reports = Sample.preview(context(sample), prepared, refusals);

        assertThat(refusals.isEmpty()).isTrue();
        assertThat(reports).hasSize(1);
        assertThat(reports.get(0).steps()).isEqualTo(30);
        assertThat(String.join("\n", reports.get(0).lines()))
                .contains("seen: 3,000 of 3,000 rows", "world sizes 1 2 4");
        assertThat(PreparedFixture.digests(root)).isEqualTo(before);
    }

    @Test
    void refusals_ofAllFeeds_areReportedAtOnce() {
        String sample = "sample: {a: {batch: 8, lanes: 4, rows: 4000}, b: {batch: 8, lanes: 4},"
                + " c: {batch: 8, lanes: 4, strata: [{column: diffculty}, {column: score}], balance: [score]}}";
        assertThatThrownBy(() -> Sample.run(context(sample), prepared))
                .satisfies(e -> assertThat(ErrorList.all(e).map(Throwable::getMessage))
                        .satisfiesExactly(
                                a -> assertThat(a).startsWith("feed 'a': mode pass: each epoch wants 4000 rows"),
                                c -> assertThat(c).startsWith("feed 'c': strata column 'diffculty'"),
                                c -> assertThat(c).startsWith("feed 'c': strata column 'score' is double")));
    }

    @Test
    void rows_fillingNoStep_areReported() {
        List<FeedReport> reports = Sample.preview(
                context("sample: {seen: {batch: 128, lanes: 4}, whole: {batch: 100, lanes: 4}}"),
                prepared,
                new ConfigErrors());

        assertThat(reports).hasSize(2);
        assertThat(reports.stream().flatMap(report -> report.lines().stream()))
                .filteredOn(line -> line.contains("dropped"))
                .containsExactly("  56 rows dropped per epoch (incomplete batch of 128)");
    }

    @Test
    void preview_ofShortage_showsWhatIsWanted() {
        ConfigErrors refusals = new ConfigErrors();
        List<FeedReport> reports = Sample.preview(
                context("sample: {train: {batch: 8, lanes: 4, rows: 3000, strata: [{column: correct}],"
                        + " balance: [correct]}}"),
                prepared,
                refusals);

        assertThat(String.join("\n", reports.get(0).lines()))
                .containsPattern("drawn, steps 0-374 +1,500 +1,500")
                .containsPattern("available +[12],[0-9]{3} +[0-9,]+");
        assertThatThrownBy(refusals::throwIfAny).hasMessageContaining("stratum 'true': epoch 0 wants 1500 rows");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            batch: 8, lanes: 4, rows: 2000, strata: [{column: correct}], balance: [correct], where: "n_ot > 1"      | feed 'train', where: | n_ot
            batch: 8, lanes: 4, rows: 4000                                                                          | feed 'train': mode pass: each epoch wants 4000 rows, the table has 3000 | at most
            batch: 8, lanes: 4, rows: 3000, strata: [{column: correct}], balance: [correct]                         | stratum 'true': epoch 0 wants 1500 rows | on-shortage
            batch: 8, lanes: 4, rows: 4                                                                             | an epoch of 4 rows does not fill one batch of 8 | lower the batch
            batch: 8, lanes: 4, where: id < 0                                                                       | feed 'train': no row is left | id < 0
            batch: 8, lanes: 4, strata: [{column: diffculty}], balance: [diffculty]                                 | 'diffculty' is not a prepared column | difficulty
            batch: 8, lanes: 4, strata: [{column: score}], balance: [score]                                         | strata column 'score' is double | give bins
            batch: 8, lanes: 4, strata: [{column: tag}], balance: [tag]                                             | strata column 'tag' has no value in 429 rows | coalesce
            batch: 8, lanes: 4, strata: [{column: difficulty, bins: {a: [1, 9]}}], balance: [difficulty]            | values of strata column 'difficulty' are unbinned: -1 in 15 rows | on-unbinned: drop
            batch: 8, lanes: 4, strata: [{column: correct}], weights: {"true": 1, no: 1}                            | feed 'train': weight 'no' names nothing that occurs | no row of the feed
            batch: 8, lanes: 4, strata: [{column: correct}], balance: [correct], weights: {"true": 1}               | 'correct' has weights and is also listed under balance | leave one of them out
            batch: 8, lanes: 4, rows: 80, strata: [{column: correct}, {column: part}], balance: [correct], weights: {true/train: 1, false/train: 2} | weights of whole strata and balance [correct] contradict | leave balance out
            batch: 8, lanes: 4, rows: 80, where: correct or part = 'train', strata: [{column: correct}, {column: part}], balance: [correct, part] | the shares contradict the table: stratum 'false/valid' would get a weight | 0 rows
            batch: 8, lanes: 4, rows: 80, where: difficulty = 7 or part = 'train', strata: [{column: difficulty}, {column: part}], margins: {difficulty: {"7": 1, "9": 1}, part: {valid: 3, train: 1}} | margins of 'difficulty' and 'part' contradict each other | remove one margin
            batch: 8, lanes: 4, rows: 80, strata: [{column: correct}], balance: [correct], caps: {"true": 0.2, "false": 0.5} | units find no stratum | other bounds
            batch: 8, lanes: 4, rows: 80, strata: [{column: correct}, {column: part}], weights: {"true": 1, train: 1} | mix values of several columns | exactly one
            """)
    void feed_thatCannotBePlanned_isRefusedByName(String feed, String message, String hint) {
        String yaml = feed.contains("where: correct or part")
                ? "sample: {train: {"
                        + feed.replace("where: correct or part = 'train'", "where: \"correct or part = 'train'\"")
                        + "}}"
                : "sample: {train: {" + feed + "}}";
        assertThatThrownBy(() -> Sample.run(context(yaml), prepared))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message)
                .hasMessageContaining(hint)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void preparedTable_damaged_isNamed() throws IOException {
        Path copyRoot = root.resolve("copy");
        PreparedTable copy = PreparedFixture.write(spark, copyRoot);
        Path file = Path.of(copy.path().toUri().getPath()).resolve("data/part-00001-00000.parquet");
        byte[] whole = Files.readAllBytes(file);
        JobContext context = PreparedFixture.context(spark, copyRoot, "sample: {train: {batch: 8, lanes: 4}}");

        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertThatThrownBy(() -> Sample.run(context, copy))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("part-00001-00000.parquet, byte " + (whole.length - 1));
        Files.delete(file);
        assertThatThrownBy(() -> Sample.run(context, copy))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("part-00001-00000.parquet");
        byte[] noFooter = whole.clone();
        Arrays.fill(noFooter, noFooter.length - 8, noFooter.length, (byte) 0x7f);
        Files.write(file, noFooter);
        assertThatThrownBy(() -> Sample.run(context, copy))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("part-00001-00000.parquet");
        assertThat(Path.of(copyRoot.toString(), "t", "plans"))
                .satisfiesAnyOf(
                        plans -> assertThat(plans).doesNotExist(),
                        plans -> assertThat(PreparedFixture.digests(plans)).isEmpty());
    }

    private JobContext context(String sample) {
        return PreparedFixture.context(spark, root, sample);
    }

    private List<Row> rows(Plan plan, String feed) {
        String file = new org.apache.hadoop.fs.Path(plan.path(), Plan.rowsFile(feed, 0)).toString();
        return new ArrayList<>(spark.read().parquet(file).collectAsList());
    }

    private static String bin(TableRow row) {
        return row.difficulty() <= 3 ? "low" : row.difficulty() <= 7 ? "med" : "high";
    }

    private static String line(int stratum, long index, int lane, long ordinal, TableRow row) {
        return String.join(
                ",",
                List.of(
                                stratum,
                                index,
                                lane,
                                ordinal,
                                row.rowId(),
                                row.n() / PreparedFixture.FILE_ROWS,
                                row.n() % PreparedFixture.FILE_ROWS)
                        .stream()
                        .map(String::valueOf)
                        .toList());
    }
}
