package io.rankfeed.sampling.order;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The numbers of an order as order.json names them, for the golden files. */
final class OrderJson {
    private OrderJson() {}

    static ObjectNode of(TrainFeed order) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("kind", "train");
        json.put("seed", order.seed());
        json.put("lanes", order.lanes());
        json.put("batch", order.batch());
        json.put("epochs", order.epochs());
        json.put("stepsPerEpoch", order.stepsPerEpoch());
        json.put("mode", order.mode().word());
        json.put("order", order.order().word());
        json.put("window", order.window());
        ArrayNode strata = json.putArray("strata");
        for (Stratum stratum : order.strata()) {
            strata.addObject()
                    .put("name", stratum.name())
                    .put("available", stratum.available())
                    .put("rows", stratum.rows());
        }
        ArrayNode segments = json.putArray("segments");
        for (Segment segment : order.segments()) {
            ObjectNode one = segments.addObject();
            one.put("step", segment.step());
            one.put("steps", segment.steps());
            one.put("number", segment.number());
            segment.quotas().forEach(one.putArray("quotas")::add);
            segment.base().forEach(one.putArray("base")::add);
            one.put("m", segment.m());
            one.put("c", segment.c());
        }
        return json;
    }

    static TrainFeed order(JsonNode json) {
        List<Stratum> strata = new ArrayList<>();
        for (JsonNode one : json.get("strata")) {
            strata.add(new Stratum(
                    one.get("name").asText(),
                    one.get("available").asLong(),
                    one.get("rows").asLong()));
        }
        return new TrainFeed(
                "train",
                json.get("seed").asLong(),
                json.get("lanes").asInt(),
                json.get("batch").asInt(),
                json.get("epochs").asInt(),
                json.get("stepsPerEpoch").asInt(),
                EpochMode.valueOf(json.get("mode").asText().toUpperCase(Locale.ROOT)),
                RowOrder.valueOf(json.get("order").asText().toUpperCase(Locale.ROOT)),
                json.get("window").asInt(),
                strata,
                GoldenPlans.segments(json));
    }

    static ObjectNode of(SequentialOrder order) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", "sequential")
                .put("lanes", order.lanes())
                .put("batch", order.batch())
                .put("rows", order.rows())
                .put("steps", order.steps());
    }
}
