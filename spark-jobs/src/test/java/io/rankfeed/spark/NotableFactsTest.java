package io.rankfeed.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NotableFactsTest {
    @Test
    void run_withBadRowsAndMissingColumns_namesBoth() {
        assertThat(facts("""
                {"messages": ["another line",
                  "sources.t: column 'note' is null in 10 rows of 1 of 3 files, which do not have it: a.parquet"],
                 "badRows": {"null-key": 3, "raised": 7}, "phases": [{"name": "prepare", "rows": 90}]}
                """))
                .containsExactly(
                        Map.entry("bad rows", "10 of 100 rows are bad and left out (null-key 3, raised 7)"),
                        Map.entry(
                                "missing columns",
                                "sources.t: column 'note' is null in 10 rows of 1 of 3 files, which do not have it:"
                                        + " a.parquet"));
    }

    @Test
    void run_withoutEither_hasNone() {
        assertThat(facts("{\"messages\": [\"a line\"], \"phases\": []}")).isEmpty();
    }

    private static Map<String, String> facts(String run) {
        return NotableFacts.of(StrictJson.parse(run.getBytes(StandardCharsets.UTF_8), "run.json"));
    }
}
