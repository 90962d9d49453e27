package io.rankfeed.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.sampling.plan.PlanRequest;
import io.rankfeed.sampling.plan.quota.Margin;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Weights, margins, floors and caps of a job as the planner takes them. */
class StageWeightsTest {
    private static final String STRATA = "batch: 8, lanes: 4, strata: [{column: correct}, {column: difficulty}]";

    @Test
    void margins_ofSeveralColumns_becomeThoseOfStrata() {
        PlanRequest.Stage stage =
                only("margins: {correct: {true: 50, false: 50}, difficulty: {low: 70, med: 30, high: 0}}");
        assertThat(stage.weights().values()).hasSize(6).containsOnly(BigDecimal.ONE);
        assertThat(stage.margins()).extracting(Margin::column).containsExactly("correct", "difficulty");
        assertThat(stage.margins().get(1).valueOf())
                .containsEntry("true/low", "low")
                .hasSize(6);
        assertThat(stage.margins().get(1).weights()).containsEntry("med", BigDecimal.valueOf(30));
    }

    @Test
    void balance_besideMargins_isAMarginOfEqualShares() {
        PlanRequest.Stage stage = only("balance: [correct], margins: {difficulty: {low: 1, med: 1}}");
        assertThat(stage.margins().get(0).weights()).isEqualTo(Map.of("true", BigDecimal.ONE, "false", BigDecimal.ONE));
    }

    @Test
    void weights_besideMargins_shareTheRest() {
        PlanRequest.Stage stage =
                only("margins: {correct: {true: 1, false: 1}}, weights: {low: 10, med: 50, high: 40}");
        assertThat(stage.margins()).hasSize(1);
        assertThat(stage.weights())
                .containsEntry("false/med", BigDecimal.valueOf(50))
                .hasSize(6);
        assertThat(only("margins: {correct: {true: 1, false: 1}}, weights: {true/low: 1, false/low: 2}")
                        .weights())
                .containsOnlyKeys("true/low", "false/low");
        assertThatThrownBy(() -> only("margins: {difficulty: {low: 1}}, weights: {low: 1}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'difficulty' has weights and a margin");
        assertThatThrownBy(() -> only("balance: [correct], margins: {difficulty: {low: 1}}, weights: {\"true\": 1}"))
                .hasMessageContaining("'correct' has weights and is also listed under balance");
    }

    @Test
    void proportionalValues_shareByTheirRows() {
        List<CountedStratum> strata = List.of(
                new CountedStratum("false/a", List.of("false", "a"), 30),
                new CountedStratum("false/b", List.of("false", "b"), 10),
                new CountedStratum("true/a", List.of("true", "a"), 3));
        PlanRequest.Stage half =
                stages("balance: [correct], proportional: [difficulty]", strata).get(0);
        assertThat(half.weights())
                .hasSize(3)
                .hasEntrySatisfying("false/a", weight -> assertThat(weight).isEqualByComparingTo("0.75"))
                .hasEntrySatisfying("false/b", weight -> assertThat(weight).isEqualByComparingTo("0.25"))
                .hasEntrySatisfying("true/a", weight -> assertThat(weight).isEqualByComparingTo("1"));
        PlanRequest.Stage asTheyAre =
                stages("proportional: [correct, difficulty]", strata).get(0);
        assertThat(asTheyAre.weights().get("false/a").doubleValue()).isEqualTo(30.0 / 43);
    }

    @Test
    void rows_outsideTheStage_haveNoWeight() {
        List<CountedStratum> strata = List.of(
                new CountedStratum("false/a/stages 0,1", List.of("false", "a"), 30, Set.of(0, 1)),
                new CountedStratum("false/a/stages 1", List.of("false", "a"), 10, Set.of(1)),
                new CountedStratum("true/a/stages 1", List.of("true", "a"), 3, Set.of(1)));
        List<PlanRequest.Stage> stages = stages(
                "stages: [{rows: 80, where: short, weights: {\"false\": 1}},"
                        + " {weights: {\"false\": 1, \"true\": 3}}], rows: 160",
                strata);
        assertThat(stages.get(0).weights()).containsOnlyKeys("false/a/stages 0,1");
        assertThat(stages.get(1).weights().get("false/a/stages 1")).isEqualByComparingTo("0.25");
        assertThat(stages.get(1).weights().get("true/a/stages 1")).isEqualByComparingTo("3");
        assertThat(CountedStratum.rest(strata.get(1))).isEqualTo("rest/stages 1");
        assertThatThrownBy(() -> stages(
                        "stages: [{rows: 80, where: short, weights: {\"true\": 1}},"
                                + " {weights: {\"false\": 1, \"true\": 3}}], rows: 160",
                        strata))
                .hasMessageContaining("stage 0: weight 'true' names nothing that occurs");
    }

    @Test
    void floorsAndCaps_ofStage_overrideThoseOfTheFeed() {
        List<PlanRequest.Stage> stages = stages("floors: {true/low: 0.1}, caps: {true/low: 0.5, true/med: 0.25},"
                + " stages: [{until: 0.5, weights: {low: 1, med: 1}}, {until: 1, weights: {low: 1, med: 1},"
                + " caps: {true/low: 0.2}}]");
        assertThat(stages.get(0).bounds())
                .containsEntry("true/low", bounds("0.1", "0.5"))
                .containsEntry("true/med", bounds("0", "0.25"));
        assertThat(stages.get(1).bounds())
                .containsEntry("true/low", bounds("0.1", "0.2"))
                .containsEntry("true/med", bounds("0", "0.25"));
    }

    private static PlanRequest.Bounds bounds(String least, String most) {
        return new PlanRequest.Bounds(new BigDecimal(least), new BigDecimal(most));
    }

    private static PlanRequest.Stage only(String mixture) {
        List<PlanRequest.Stage> stages = stages(mixture);
        assertThat(stages).hasSize(1);
        return stages.get(0);
    }

    private static List<PlanRequest.Stage> stages(String mixture) {
        List<CountedStratum> strata = new ArrayList<>();
        for (String correct : List.of("false", "true")) {
            for (String difficulty : List.of("high", "low", "med")) {
                strata.add(new CountedStratum(correct + "/" + difficulty, List.of(correct, difficulty), 1_000));
            }
        }
        return stages(mixture, strata);
    }

    private static List<PlanRequest.Stage> stages(String mixture, List<CountedStratum> strata) {
        return StageWeights.of("train", Settings.train(STRATA + ", " + mixture), strata);
    }
}
