package io.rankfeed.sampling.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.sampling.order.GoldenPlans;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Segment;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class MixturePlannerTest {
    @Test
    void segments_goldenMixtures_areThoseOfTheSecondPlanner() {
        for (JsonNode golden : GoldenPlans.cases(GoldenPlans.MIXTURES)) {
            PlannedMixture planned = MixturePlanner.plan(request(golden.get("request")));
            assertThat(planned.segments()).as("%s", golden).isEqualTo(GoldenPlans.segments(golden.get("order")));
            JsonNode epochs = golden.get("order").has("epochs") ? golden.get("order") : golden.get("request");
            assertThat(planned.epochs())
                    .as("%s", golden)
                    .isEqualTo(epochs.get("epochs").asInt());
        }
    }

    /** Two members of 6 and 4 stored lanes have 2 in common; the second has 16 rows and a fourth of the weight. */
    @Test
    void member_thatEnds_isRepeatedOrStopsOrLeavesItsShareToOthers() {
        List<MixtureMember> members = List.of(member(6, 600), member(4, 16));
        assertThat(units(request(members, MixtureRequest.OnEnd.REPEAT, 8))).containsExactly(60L, 20L);
        assertThat(units(request(members, MixtureRequest.OnEnd.REDISTRIBUTE, 8)))
                .containsExactly(72L, 8L);
        PlannedMixture stopped = MixturePlanner.plan(request(members, MixtureRequest.OnEnd.STOP, 8));
        assertThat(stopped.epochs()).isEqualTo(1);
        assertThat(stopped.segments()).singleElement().satisfies(segment -> {
            assertThat(segment.steps()).isEqualTo(8);
            assertThat(segment.quotas()).containsExactly(24L, 8L);
        });
    }

    @Test
    void batch_noMultipleOfCommonLanes_isRefused() {
        MixtureRequest request = request(List.of(member(6, 600), member(4, 16)), MixtureRequest.OnEnd.REPEAT, 7);
        assertThatThrownBy(() -> MixturePlanner.plan(request))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("batch 7 is not a multiple of 2")
                .hasMessageContaining("take batch 8");
    }

    /** One rare stratum in ten pieces of a stage: each alone would give it nothing, or a whole unit. */
    @Test
    void shares_ofPieces_makeUpForTheRoundingBefore() {
        CarriedShares shares = new CarriedShares(new long[] {97, 3});
        long rare = 0;
        for (int piece = 0; piece < 10; piece++) {
            rare += shares.next(10)[1];
        }
        assertThat(rare).isEqualTo(3);
    }

    private static List<Long> units(MixtureRequest request) {
        PlannedMixture planned = MixturePlanner.plan(request);
        Segment last = planned.segments().get(planned.segments().size() - 1);
        return List.of(
                last.base().get(0) + last.quotas().get(0),
                last.base().get(1) + last.quotas().get(1));
    }

    private static MixtureMember member(int lanes, long rows) {
        long units = rows / lanes;
        return new MixtureMember(
                lanes, lanes, List.of(new Segment(0, units, 0, List.of(units), List.of(0L), units > 2 ? 1 : 0, 0)));
    }

    private static MixtureRequest request(List<MixtureMember> members, MixtureRequest.OnEnd onEnd, int batch) {
        MixtureRequest.Stage stage =
                new MixtureRequest.Stage(new StageEnd.Run(), List.of(BigDecimal.valueOf(3), BigDecimal.ONE));
        return new MixtureRequest(1, batch, 2, 80, onEnd, members, List.of(stage));
    }

    private static MixtureRequest request(JsonNode json) {
        List<MixtureMember> members = new ArrayList<>();
        for (JsonNode plan : json.get("plans")) {
            members.add(new MixtureMember(
                    plan.get("members").get(0).get("lanes").asInt(),
                    plan.get("lanes").asInt(),
                    GoldenPlans.segments(plan)));
        }
        List<MixtureRequest.Stage> stages = new ArrayList<>();
        for (JsonNode stage : json.get("stages")) {
            List<BigDecimal> weights = new ArrayList<>();
            stage.get("weights").forEach(weight -> weights.add(new BigDecimal(weight.asText())));
            stages.add(new MixtureRequest.Stage(GoldenPlans.end(stage), weights));
        }
        return new MixtureRequest(
                json.get("seed").asLong(),
                json.get("batch").asInt(),
                json.get("epochs").asInt(),
                json.get("rows").asLong(),
                MixtureRequest.OnEnd.valueOf(json.get("on-end").asText().toUpperCase(Locale.ROOT)),
                members,
                stages);
    }
}
