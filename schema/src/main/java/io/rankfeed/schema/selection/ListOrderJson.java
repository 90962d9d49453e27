package io.rankfeed.schema.selection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.selection.ListOrder.OrderedStage;
import io.rankfeed.schema.selection.ListOrder.Range;
import java.util.ArrayList;
import java.util.List;

/** The member {@code list} of a train feed. */
final class ListOrderJson {
    private ListOrderJson() {}

    static void write(ListOrder list, ObjectNode object) {
        if (list.by() instanceof ListOrder.Hash hash) {
            object.put("by", "hash").put("seed", hash.seed());
        } else if (list.by() instanceof ListOrder.Column column) {
            object.put("by", "column").put("column", column.name());
        } else {
            object.put("by", list.by() instanceof ListOrder.Table ? "table" : "given");
        }
        ArrayNode ordered = object.putArray("ordered");
        for (OrderedStage stage : list.ordered()) {
            ArrayNode ranges = ordered.addObject().put("by", stage.by()).putArray("ranges");
            stage.ranges().forEach(range -> ranges.addArray()
                    .add(range.stratum())
                    .add(range.from())
                    .add(range.to()));
        }
    }

    static ListOrder read(JsonObject object) {
        String by = object.text("by");
        ListOrder.By order =
                switch (by) {
                    case "hash" ->
                        new ListOrder.Hash(object.only("by", "ordered", "seed").integer("seed", 0, Long.MAX_VALUE));
                    case "column" ->
                        new ListOrder.Column(
                                object.only("by", "ordered", "column").text("column"));
                    case "table" -> new ListOrder.Table();
                    case "given" -> new ListOrder.Given();
                    default -> throw object.damage("by", "'" + by + "' must be hash, table, given or column");
                };
        if (!(order instanceof ListOrder.Hash || order instanceof ListOrder.Column)) {
            object.only("by", "ordered");
        }
        return new ListOrder(
                order,
                object.objects("ordered").stream().map(ListOrderJson::ordered).toList());
    }

    private static OrderedStage ordered(JsonObject object) {
        object.only("by", "ranges");
        List<Range> ranges = new ArrayList<>();
        for (JsonNode range : object.array("ranges")) {
            boolean whole = range.isArray() && range.size() == 3;
            for (JsonNode number : range) {
                whole &= number.isIntegralNumber() && number.canConvertToLong();
            }
            if (!whole || !range.get(0).canConvertToInt()) {
                throw object.damage("ranges[" + ranges.size() + "]", "must be [stratum, from, to]");
            }
            ranges.add(new Range(
                    range.get(0).intValue(),
                    range.get(1).longValue(),
                    range.get(2).longValue()));
        }
        return new OrderedStage(object.text("by"), ranges);
    }
}
