package io.rankfeed.spark.init;

import io.rankfeed.spark.engine.Columns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * The types of the columns of CSV, by the values of its first rows. Numbers with leading zeros or a plus are codes, and remain text.
 *
 * @param ofColumns by column, in their order
 */
record CsvTypes(Map<String, String> ofColumns) {
    private static final String TEXT = "STRING";
    private static final String WHOLE = "-?(0|[1-9][0-9]{0,17})";

    /** The patterns that all values of a column must match, by type; the first type that matches is taken. */
    private static final List<Map.Entry<String, String>> PATTERNS = List.of(
            Map.entry("BOOLEAN", "(?i)true|false"),
            Map.entry("BIGINT", WHOLE),
            Map.entry("DOUBLE", "-?(0|[1-9][0-9]{0,14})(\\.[0-9]*)?([eE][-+]?[0-9]{1,2})?|(?i)nan"));

    /**
     * Finds the types.
     *
     * @param texts the table with all columns as strings
     * @param stored its columns that are in the files
     */
    static CsvTypes of(Dataset<Row> texts, Set<String> stored) {
        if (stored.isEmpty()) {
            return new CsvTypes(Map.of());
        }
        String[] names = Arrays.stream(texts.columns()).filter(stored::contains).toArray(String[]::new);
        List<Column> facts = new ArrayList<>();
        for (String name : names) {
            Column column = Columns.named(name);
            facts.add(functions.count(column));
            PATTERNS.forEach(
                    pattern -> facts.add(functions.count_if(column.rlike("\\A(" + pattern.getValue() + ")\\z"))));
        }
        Row found = texts.limit(TableProfile.MAX_ROWS)
                .agg(facts.get(0), facts.subList(1, facts.size()).toArray(Column[]::new))
                .first();
        Map<String, String> types = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            int at = i * (1 + PATTERNS.size());
            long values = found.getLong(at);
            String type = TEXT;
            for (int j = PATTERNS.size(); j > 0 && values > 0; j--) {
                type = found.getLong(at + j) == values ? PATTERNS.get(j - 1).getKey() : type;
            }
            types.put(names[i], type);
        }
        return new CsvTypes(types);
    }

    /** The table with these types. */
    Dataset<Row> typed(Dataset<Row> texts) {
        return texts.select(Arrays.stream(texts.columns())
                .map(name -> Columns.named(name)
                        .cast(ofColumns.getOrDefault(name, TEXT))
                        .as(name))
                .toArray(Column[]::new));
    }

    /** Formats the types for {@code schema:} of the source. */
    String ddl() {
        return ofColumns.entrySet().stream()
                .map(column -> (column.getKey().matches("[A-Za-z_][A-Za-z0-9_]*")
                                ? column.getKey()
                                : Columns.quoted(column.getKey()))
                        + " " + column.getValue())
                .collect(Collectors.joining(", "));
    }
}
