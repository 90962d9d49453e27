package io.rankfeed.feeder.explain;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.schema.SampleSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rows that were packed into a sequence: their keys and lengths, where the version has both (docs/job-file/packing.md). */
record PackedRows(List<CellText> keys, CellText lengths) {
    private static final String LENGTHS = "member_lengths";
    private static final String FIRST = "first_";

    static Optional<PackedRows> of(OpenVersion version, LaneCache cache) {
        SampleSchema schema = version.schema();
        List<String> key = version.manifest().origin().key();
        boolean isPacked = schema.find(LENGTHS).isPresent()
                && !key.isEmpty()
                && key.stream()
                        .allMatch(name -> name.startsWith(FIRST)
                                && schema.find(name.substring(FIRST.length())).isPresent());
        return isPacked
                ? Optional.of(new PackedRows(
                        key.stream()
                                .map(name -> CellText.of(schema, cache, name.substring(FIRST.length())))
                                .toList(),
                        CellText.of(schema, cache, LENGTHS)))
                : Optional.empty();
    }

    /** Formats the key and the length of each packed row, as in {@code 17:812, 42:301}. */
    String at(int block, int row) {
        List<String> tokens = lengths.items(block, row);
        List<List<String>> parts =
                keys.stream().map(key -> key.items(block, row)).toList();
        List<String> members = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            int member = i;
            String key = String.join(
                    "/",
                    parts.stream()
                            .map(values -> member < values.size() ? values.get(member) : "?")
                            .toList());
            members.add(key + ":" + tokens.get(i));
        }
        return String.join(", ", members);
    }

    /** Whether one of the packed rows has this key, which has one word for each key column. */
    boolean has(int block, int row, List<String> words) {
        if (words.size() != keys.size()) {
            return false;
        }
        List<List<String>> parts =
                keys.stream().map(key -> key.items(block, row)).toList();
        for (int i = 0; i < parts.get(0).size(); i++) {
            int member = i;
            boolean isAll = true;
            for (int k = 0; k < words.size(); k++) {
                isAll &=
                        member < parts.get(k).size() && parts.get(k).get(member).equals(words.get(k));
            }
            if (isAll) {
                return true;
            }
        }
        return false;
    }
}
