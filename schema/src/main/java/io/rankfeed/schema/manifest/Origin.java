package io.rankfeed.schema.manifest;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The identification of a version's rows in their source tables, for users who look up a row.
 *
 * @param key the columns that identify a row; empty if its file and row number do
 * @param tables the version of each source that has versions, by the source's name
 */
public record Origin(List<String> key, Map<String, Long> tables) {
    public static final Origin NONE = new Origin(List.of(), Map.of());

    public Origin {
        key = List.copyOf(key);
        tables = new TreeMap<>(tables);
    }

    /** @param inputs of the prepared table */
    public static Origin of(List<String> key, List<Input> inputs) {
        Map<String, Long> tables = new TreeMap<>();
        for (Input input : inputs) {
            if (input instanceof Input.DeltaInput delta) {
                tables.put(delta.name(), delta.version());
            }
        }
        return new Origin(key, tables);
    }
}
