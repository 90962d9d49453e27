package io.rankfeed.spark;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.spark.prepare.query.RowCounts;
import io.rankfeed.spark.source.open.FileColumns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the page of a run says first: rows that are left out, and columns that some files do not have. */
final class NotableFacts {
    private NotableFacts() {}

    /** @param run what run.json says, docs/format/manifest.md section 7 */
    static Map<String, String> of(JsonNode run) {
        Map<String, String> facts = new LinkedHashMap<>();
        Map<String, Long> bad = new TreeMap<>();
        run.path("badRows")
                .properties()
                .forEach(reason -> bad.put(reason.getKey(), reason.getValue().asLong()));
        long rows = run.path("phases").path(0).path("rows").asLong();
        new RowCounts(rows, bad).leftOut().ifPresent(leftOut -> facts.put("bad rows", leftOut));
        List<String> missing = new ArrayList<>();
        run.path("messages").forEach(line -> {
            if (FileColumns.isMissing(line.asText())) {
                missing.add(line.asText());
            }
        });
        if (!missing.isEmpty()) {
            facts.put("missing columns", String.join("; ", missing));
        }
        return facts;
    }
}
