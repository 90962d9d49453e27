package io.rankfeed.schema.manifest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.manifest.FeedDecisions.Edge;
import io.rankfeed.schema.manifest.FeedDecisions.Left;
import io.rankfeed.schema.manifest.FeedDecisions.Shortage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The decisions of a plan's manifest, by feed. */
public final class DecisionsJson {
    private DecisionsJson() {}

    public static ObjectNode toJson(Map<String, FeedDecisions> decisions) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        decisions.forEach((feed, decided) -> {
            ObjectNode node = object.putObject(feed);
            ArrayNode edges = node.putArray("edges");
            decided.edges().forEach(edge -> edges.addObject()
                    .put("column", edge.column())
                    .put("bin", edge.bin())
                    .put("atMost", edge.atMost()));
            ArrayNode shortages = node.putArray("shortages");
            decided.shortages().forEach(shortage -> shortages
                    .addObject()
                    .put("stage", shortage.stage())
                    .put("stratum", shortage.stratum())
                    .put("wanted", shortage.wanted())
                    .put("available", shortage.available())
                    .put("taken", shortage.taken())
                    .put("repeated", shortage.repeated()));
            ArrayNode rest = node.putArray("rest");
            decided.rest().forEach(rest::add);
            if (!decided.leftOut().isEmpty()) {
                ArrayNode leftOut = node.putArray("leftOut");
                decided.leftOut()
                        .forEach(left ->
                                leftOut.addObject().put("stage", left.stage()).put("stratum", left.stratum()));
            }
        });
        return object;
    }

    static Map<String, FeedDecisions> fromJson(JsonObject object) {
        Map<String, FeedDecisions> decisions = new TreeMap<>();
        for (String feed : object.names()) {
            JsonObject node = object.object(feed).only("edges", "shortages", "rest", "leftOut");
            decisions.put(
                    feed,
                    new FeedDecisions(
                            node.objects("edges").stream()
                                    .map(DecisionsJson::edge)
                                    .toList(),
                            node.objects("shortages").stream()
                                    .map(DecisionsJson::shortage)
                                    .toList(),
                            node.texts("rest"),
                            node.has("leftOut")
                                    ? node.objects("leftOut").stream()
                                            .map(DecisionsJson::left)
                                            .toList()
                                    : List.of()));
        }
        return decisions;
    }

    private static Edge edge(JsonObject object) {
        object.only("column", "bin", "atMost");
        return new Edge(object.text("column"), object.text("bin"), object.text("atMost"));
    }

    private static Left left(JsonObject object) {
        object.only("stage", "stratum");
        return new Left(object.integer("stage", 0, Integer.MAX_VALUE), object.text("stratum"));
    }

    private static Shortage shortage(JsonObject object) {
        object.only("stage", "stratum", "wanted", "available", "taken", "repeated");
        return new Shortage(
                object.integer("stage", 0, Integer.MAX_VALUE),
                object.text("stratum"),
                object.integer("wanted", 0, Long.MAX_VALUE),
                object.integer("available", 0, Long.MAX_VALUE),
                object.integer("taken", 0, Long.MAX_VALUE),
                object.integer("repeated", 0, Long.MAX_VALUE));
    }
}
