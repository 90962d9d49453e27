package io.rankfeed.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.selection.SelectedStratum;
import io.rankfeed.schema.selection.SelectedTrain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Settings of a job give the orders that a second planner made of the same requests (docs/format/plan.md, section 9). */
class GoldenVersionPlansTest {
    private static final Path FILE = Path.of("../src/test/resources/golden/order-2-plans.json");

    @Test
    void ordersOfOneBatch_arePlannedAgain() throws IOException {
        int planned = 0;
        for (JsonNode one : new ObjectMapper().readTree(FILE.toFile()).get("cases")) {
            if (!one.get("order").has("epochStarts")) {
                assertPlanned(one.get("request"), one.get("order"));
                planned++;
            }
        }
        assertThat(planned).isEqualTo(667);
    }

    private static void assertPlanned(JsonNode request, JsonNode order) {
        FeedNumbers plan =
                VersionPlan.of(Settings.train(settings(request)), stored(request), StageConditions.NONE, Stored.SOURCE);
        TrainFeed feed = (TrainFeed) plan.feed();
        assertThat(feed.segments()).as("%s", request).isEqualTo(segments(order));
        assertThat(feed.stepsPerEpoch()).isEqualTo(order.get("stepsPerEpoch").asInt());
        assertThat(feed.window()).isEqualTo(order.get("window").asInt());
        assertThat(feed.members().get(0).cycles())
                .isEqualTo(request.get("order").asText().equals("planned") ? RowCycles.LIST : RowCycles.SHUFFLED);
    }

    private static SelectedTrain stored(JsonNode request) {
        JsonNode member = request.get("members").get(0);
        List<SelectedStratum> strata = new ArrayList<>();
        member.get("strata")
                .forEach(stratum -> strata.add(Stored.stratum(
                        stratum.get("rows").asLong(), stratum.get("name").asText())));
        boolean hashed = request.get("order").asText().equals("global");
        return Stored.feed(member.get("lanes").asInt(), List.of("s"), hashed ? Stored.HASHED : Stored.AS_TABLE, strata);
    }

    private static String settings(JsonNode request) {
        List<String> keys = new ArrayList<>();
        for (String key : List.of("batch", "lanes", "rows", "epochs", "seed", "mode", "order")) {
            keys.add(key + ": " + request.get(key).asText());
        }
        if (request.get("wide").asBoolean()) {
            keys.add("balance-within: epoch");
        }
        if (request.get("mode").asText().equals("stream")) {
            keys.add("strata: [{column: s}]");
            keys.add("on-shortage: repeat");
            keys.add("on-rare: leave-out");
            List<String> stages = new ArrayList<>();
            request.get("stages").forEach(stage -> stages.add(stage(stage, request)));
            keys.add("stages: [" + String.join(", ", stages) + "]");
        }
        return String.join(", ", keys);
    }

    private static String stage(JsonNode stage, JsonNode request) {
        Map.Entry<String, JsonNode> end =
                stage.get("end").properties().iterator().next();
        List<String> weights = new ArrayList<>();
        for (JsonNode stratum : request.get("members").get(0).get("strata")) {
            weights.add(stratum.get("name").asText() + ": "
                    + stage.get("weights").get(weights.size()).asText());
        }
        return "{"
                + (end.getKey().equals("run")
                        ? ""
                        : end.getKey() + ": " + end.getValue().asText() + ", ") + "weights: {"
                + String.join(", ", weights) + "}}";
    }

    private static List<Segment> segments(JsonNode order) {
        List<Segment> segments = new ArrayList<>();
        for (JsonNode one : order.get("segments")) {
            segments.add(new Segment(
                    one.get("step").asLong(),
                    one.get("steps").asLong(),
                    one.get("number").asLong(),
                    longs(one.get("quotas")),
                    longs(one.get("base")),
                    one.get("m").asLong(),
                    one.get("c").asLong()));
        }
        return segments;
    }

    private static List<Long> longs(JsonNode array) {
        List<Long> values = new ArrayList<>();
        array.forEach(value -> values.add(value.asLong()));
        return values;
    }
}
