package io.rankfeed.sampling.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.sampling.order.GoldenPlans;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Plans over the lists of a version, as the second planner has them. */
class PlannedGoldenTest {
    @Test
    void orders_goldenPlans_areThoseOfTheSecondPlanner() {
        List<JsonNode> cases = GoldenPlans.cases(GoldenPlans.PLANS);
        assertThat(cases).hasSize(1_000);
        for (JsonNode golden : cases) {
            JsonNode request = golden.get("request");
            JsonNode member = request.get("members").get(0);
            String cycles = member.get("cycles").asText();
            StoredLists stored = new StoredLists(
                    StoredRequests.SOURCE,
                    member.get("lanes").asInt(),
                    false,
                    !cycles.equals("list"),
                    cycles.equals("list-first"));
            TrainFeed planned =
                    OrderPlanner.planned(request(request, member), stored).feed();
            assertThat(StoredRequests.named(planned, "train")).as("%s", golden).isEqualTo(GoldenPlans.order(golden));
        }
    }

    private static PlanRequest request(JsonNode json, JsonNode member) {
        List<PlanRequest.Available> strata = new ArrayList<>();
        for (JsonNode stratum : member.get("strata")) {
            strata.add(new PlanRequest.Available(
                    stratum.get("name").asText(), stratum.get("rows").asLong()));
        }
        List<PlanRequest.Stage> stages = new ArrayList<>();
        for (JsonNode stage : json.get("stages")) {
            Map<String, BigDecimal> weights = new HashMap<>();
            for (int s = 0; s < strata.size(); s++) {
                weights.put(
                        strata.get(s).stratum(),
                        new BigDecimal(stage.get("weights").get(s).asText()));
            }
            OptionalInt batch = OptionalInt.of(stage.get("batch").asInt());
            stages.add(new PlanRequest.Stage(GoldenPlans.end(stage), weights, List.of(), Map.of(), batch));
        }
        return new PlanRequest(
                member.get("name").asText(),
                json.get("seed").asLong(),
                json.get("lanes").asInt(),
                json.get("batch").asInt(),
                json.get("epochs").asInt(),
                json.get("rows").asLong(),
                EpochMode.valueOf(json.get("mode").asText().toUpperCase(Locale.ROOT)),
                RowOrder.valueOf(json.get("order").asText().toUpperCase(Locale.ROOT)),
                json.get("wide").asBoolean() ? BalanceWithin.EPOCH : BalanceWithin.BATCH,
                PoolSpan.RUN,
                OnShortage.REPEAT,
                ZeroQuota.ALLOW,
                Shares.NEAREST,
                strata,
                stages);
    }
}
