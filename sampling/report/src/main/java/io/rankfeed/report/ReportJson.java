package io.rankfeed.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.report.Report.Absent;
import io.rankfeed.report.Report.Bytes;
import java.util.List;

/** A report as one JSON object: a member per fact, and per table a list of objects. */
final class ReportJson {
    private static final JsonMapper MAPPER = new JsonMapper();

    private ReportJson() {}

    static String text(Report report) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree(report));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static ObjectNode tree(Report report) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        report.facts().forEach((name, value) -> put(tree, name, value));
        report.tables().forEach((name, table) -> {
            ArrayNode entries = tree.putArray(name);
            for (List<Object> row : table.rows()) {
                ObjectNode entry = entries.addObject();
                for (int i = 0; i < row.size(); i++) {
                    put(entry, table.columns().get(i), row.get(i));
                }
            }
        });
        return tree;
    }

    private static void put(ObjectNode object, String name, Object value) {
        if (value instanceof Bytes bytes) {
            object.put(name, bytes.count());
        } else if (value instanceof Long || value instanceof Integer) {
            object.put(name, ((Number) value).longValue());
        } else if (value instanceof Double fraction) {
            object.put(name, fraction);
        } else if (value instanceof List<?> list) {
            ArrayNode array = object.putArray(name);
            list.forEach(item -> array.add(String.valueOf(item)));
        } else if (value instanceof Absent) {
            object.putNull(name);
        } else {
            object.put(name, value.toString());
        }
    }
}
