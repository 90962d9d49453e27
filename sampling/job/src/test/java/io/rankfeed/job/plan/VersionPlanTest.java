package io.rankfeed.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.ErrorList;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.selection.ListOrder;
import io.rankfeed.schema.selection.SelectedStratum;
import io.rankfeed.schema.selection.SelectedTrain;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionPlanTest {
    private static final String SIZES = "batch: 8, lanes: 4, rows: 96, epochs: 2";
    private static final List<String> COLUMNS = List.of("correct", "difficulty");
    private static final String BOTH = ", strata: [{column: correct}, {column: difficulty}]";
    private static final SelectedTrain KINDS = Stored.feed(
            4,
            COLUMNS,
            Stored.HASHED,
            List.of(
                    Stored.stratum(90, "false", "high"),
                    Stored.stratum(30, "false", "low"),
                    Stored.stratum(60, "true", "high"),
                    Stored.stratum(60, "true", "low")));

    /** A plan with the settings of the export has the numbers of the export. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "balance: [correct, difficulty]",
                "balance: [correct], proportional: [difficulty]",
                "weights: {high: 3, low: 1}, balance: [correct], seed: 7",
                "weights: {false/high: 3, true/low: 1}",
                "margins: {correct: {\"true\": 1, \"false\": 1}, difficulty: {low: 70, high: 30}}",
                "balance: [correct, difficulty], floors: {true/low: 0.4}, on-shortage: redistribute",
                "balance: [difficulty], stages: [{until: 0.3, weights: {\"true\": 2, \"false\": 1}},"
                        + " {weights: {\"true\": 1, \"false\": 2}}]"
            })
    void settingsOfTheExport_giveItsNumbers(String mixture) {
        List<CountedStratum> counted = new ArrayList<>();
        for (SelectedStratum stratum : KINDS.strata()) {
            counted.add(new CountedStratum(stratum.name(), stratum.values(), 2 * stratum.rows() + 1));
        }
        String keys = SIZES + BOTH + ", " + mixture;
        FeedNumbers exported = FeedNumbers.of(
                "train",
                Settings.train(keys),
                counted,
                List.of(),
                Settings.train(keys).onShortage());
        TrainFeed feed = (TrainFeed) exported.feed();
        FeedNumbers plan = VersionPlan.of(
                Settings.train(keys), Stored.of(feed, COLUMNS, counted), StageConditions.NONE, Stored.SOURCE);
        assertThat(((TrainFeed) plan.feed()).segments()).isEqualTo(feed.segments());
        assertThat(cycles(plan)).isEqualTo(RowCycles.SHUFFLED);
    }

    @Test
    void columnsLeftOut_shareByStoredRows() {
        assertThat(units("strata: [{column: correct}], balance: [correct]")).containsExactly(18L, 6L, 12L, 12L);
        assertThat(units("strata: [{column: difficulty}], weights: {low: 1}")).containsExactly(0L, 16L, 0L, 32L);
        assertThat(units("mode: stream")).containsExactly(18L, 6L, 12L, 12L);
        assertThat(units("strata: [{column: correct}, {column: difficulty}], balance: [correct, difficulty]"))
                .containsExactly(12L, 12L, 12L, 12L);
    }

    @Test
    void strataOfNamesAlone_areValuesOfOneColumn() {
        SelectedTrain stored = Stored.feed(
                4,
                List.of(),
                Stored.HASHED,
                List.of(new SelectedStratum("a/x", List.of(), 90, 60), new SelectedStratum("b/x", List.of(), 90, 20)));
        String repeated = SIZES + ", mode: stream, on-shortage: repeat";
        assertThat(units(plan(repeated + ", strata: [{column: stratum}], weights: {a/x: 1, b/x: 1}", stored)))
                .containsExactly(24L, 24L);
        assertThat(units(plan(repeated, stored))).containsExactly(36L, 12L);
    }

    @Test
    void strataWithoutStoredRows_areRefusedWhereTheyAreDrawn() {
        SelectedTrain stored =
                Stored.feed(4, List.of("k"), Stored.HASHED, List.of(Stored.stratum(200, "a"), Stored.stratum(0, "b")));
        String keys = SIZES + ", strata: [{column: k}], ";
        assertThat(units(plan(keys + "weights: {a: 1, b: 0}", stored))).containsExactly(48L, 0L);
        assertThat(units(plan(SIZES, stored))).containsExactly(48L, 0L);
        assertThatThrownBy(() -> plan(keys + "weights: {a: 1, b: 1}", stored))
                .hasMessageContaining("feed 'train': stratum 'b': 96 rows needed");
    }

    @Test
    void passOfFewerLanes_leavesOutWhatFillsNoStoredLane() {
        SelectedTrain stored = one(14, 8);
        TrainFeed feed =
                (TrainFeed) plan("batch: 2, lanes: 2, epochs: 3", stored).feed();
        assertThat(feed.stepsPerEpoch()).isEqualTo(4);
        assertThat(feed.strata()).hasSize(1);
        TrainFeed all = (TrainFeed) plan("batch: 8, lanes: 8", stored).feed();
        assertThat(all.stepsPerEpoch()).isEqualTo(1);
        assertThatThrownBy(() -> plan("batch: 10, lanes: 2", stored))
                .hasMessageContaining("14 rows in 8 stored lanes do not fill a batch of 10");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "where: x > 1                            | where chooses rows of a table",
                "mode: stream, pool: epoch               | pool chooses rows of a table",
                "order: planned                          | those of the version have no order but that of a hash",
                "mode: pass                              | mode: pass draws from one stratum, and the version stores 4",
                "'strata: [{column: corect}], balance: [corect]'"
                        + " | strata column 'corect' is not one of the version; did you mean 'correct'?",
                "'strata: [{column: correct, quantiles: 2}], balance: [correct]' | write its name alone",
                "'strata: [{column: correct}], balance: [correct], caps: {true: 0.5}'"
                        + " | name all strata columns of the version, [correct, difficulty]",
                "'strata: [{column: correct}], balance: [correct], on-rare: rest' | on-rare: rest makes one list",
                "'stages: [{until: 0.5, where: x}, {}]'  | stage 0, where chooses rows of a table",
                "'stages: [{until: 0.5, order-by: x}, {}]' | stage 0, order-by: no list of the version has the order"
            })
    void settingsOfAnExport_areRefused(String setting, String what) {
        assertThatThrownBy(() -> plan(SIZES + ", " + setting, KINDS))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("feed 'train': ")
                .hasMessageContaining(what);
    }

    @Test
    void refusedSettings_areReportedTogether() {
        assertThatThrownBy(() -> plan("batch: 9, lanes: 3, rows: 96, where: x, pool: epoch, mode: stream", KINDS))
                .satisfies(refused -> assertThat(ErrorList.all(refused).map(Throwable::getMessage))
                        .hasSize(3)
                        .anyMatch(message -> message.contains(
                                "lanes: 3 do not divide the 4 that the version stores;" + " take 1, 2, 4")));
        assertThatThrownBy(() -> plan("batch: 8, lanes: 4, rows: 40, mode: padded", one(41, 4)))
                .hasMessageContaining("every row that the version stores in every epoch");
        assertThatThrownBy(() -> plan("batch: 8, lanes: 4, rows: 42", one(41, 4)))
                .hasMessageContaining("each epoch wants 42 rows, and the version stores 41");
    }

    @Test
    void shortages_sayWhichVersionHasTheRows() {
        String weights = SIZES + BOTH + ", weights: {false/low: 1, true/low: 1}";
        assertThatThrownBy(() -> plan(weights, KINDS))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("stratum 'false/low': epoch 0 wants 48 rows")
                .hasMessageNotContaining("export");
        assertThat(plan(weights + ", on-shortage: repeat", KINDS).decisions().shortages())
                .isNotEmpty();
    }

    @Test
    void orderedStages_drawTheRowsThatTheVersionHasInOrder() {
        String stages = SIZES + ", stages: [{until: 0.5, order-by: len}, {}]";
        ListOrder list = new ListOrder(
                new ListOrder.Hash(0),
                List.of(new ListOrder.OrderedStage("len", List.of(new ListOrder.Range(0, 0, 96)))));
        SelectedTrain stored =
                Stored.feed(4, List.of(), list, List.of(new SelectedStratum("all", List.of(), 300, 200)));
        assertThat(cycles(plan(stages, stored))).isEqualTo(RowCycles.LIST_FIRST);
        assertThat(cycles(plan(stages + ", seed: 3", stored))).isEqualTo(RowCycles.LIST_FIRST);
        assertThatThrownBy(() -> plan(stages.replace("0.5", "0.25"), stored))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("draws rows 0 to 48 of stratum 'all', but the version has the order of 'len' in"
                        + " rows 0 to 96 of stratum 'all'");
        assertThatThrownBy(() -> plan(stages.replace("len", "lem"), stored))
                .hasMessageContaining("the order of 'lem'; did you mean 'len'?");
    }

    @Test
    void stagesWithAConditionOfTheExport_drawTheRowsThatItHolds() {
        StageConditions conditions = new StageConditions(List.of(Optional.of("length < 9"), Optional.empty()));
        SelectedTrain stored = Stored.feed(
                4,
                List.of("difficulty"),
                Stored.HASHED,
                List.of(
                        new SelectedStratum("high/stages 0,1", List.of("high"), 180, 70),
                        new SelectedStratum("high/stages 1", List.of("high"), 90, 35),
                        new SelectedStratum("low/stages 1", List.of("low"), 90, 90)));
        String keys = SIZES + ", on-shortage: repeat, seed: 7, ";
        String both = keys + "strata: [{column: difficulty}], balance: [difficulty], stages: ";
        assertThat(units(VersionPlan.of(
                        Settings.train(both + "[{until: 0.25, where: length < 9}, {}]"),
                        stored,
                        conditions,
                        Stored.SOURCE)))
                .containsExactly(12L + 12L, 6L, 18L);
        assertThat(units(VersionPlan.of(
                        Settings.train(both + "[{until: 0.25}, {where: length < 9}]"),
                        stored,
                        conditions,
                        Stored.SOURCE)))
                .containsExactly(4L + 36L, 2L, 6L);
        assertThat(units(VersionPlan.of(Settings.train(keys + "mode: stream"), stored, conditions, Stored.SOURCE)))
                .containsExactly(17L, 9L, 22L);
        assertThatThrownBy(() -> VersionPlan.of(
                        Settings.train(both + "[{until: 0.25, where: length < 8}, {}]"),
                        stored,
                        conditions,
                        Stored.SOURCE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "no stage of the export has the condition 'length < 8'; did you mean 'length < 9'?");
    }

    private static SelectedTrain one(long rows, int lanes) {
        return Stored.feed(lanes, List.of(), Stored.HASHED, List.of(new SelectedStratum("all", List.of(), rows, rows)));
    }

    private static FeedNumbers plan(String keys, SelectedTrain stored) {
        return VersionPlan.of(Settings.train(keys), stored, StageConditions.NONE, Stored.SOURCE);
    }

    private static RowCycles cycles(FeedNumbers plan) {
        return ((TrainFeed) plan.feed()).members().get(0).cycles();
    }

    private static List<Long> units(String mixture) {
        return units(plan(SIZES + ", on-shortage: repeat, " + mixture, KINDS));
    }

    /** Units of each stratum in the run. */
    private static List<Long> units(FeedNumbers plan) {
        TrainFeed feed = (TrainFeed) plan.feed();
        return IntStream.range(0, feed.strata().size())
                .mapToObj(s -> feed.segments().stream()
                        .mapToLong(segment -> segment.quotas().get(s))
                        .sum())
                .toList();
    }
}
