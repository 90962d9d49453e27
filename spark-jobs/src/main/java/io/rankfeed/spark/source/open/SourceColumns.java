package io.rankfeed.spark.source.open;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.Condition;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.job.SourceSection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/** {@code columns:} and {@code where:} of a source. */
public final class SourceColumns {
    private static final List<String> ADDRESS = List.of(RowAddress.FILE, RowAddress.ROW);

    private SourceColumns() {}

    public static Dataset<Row> chosen(String source, Dataset<Row> rows, SourceSection section) {
        Dataset<Row> filtered = section.where()
                .map(where -> Condition.filtered("sources." + source + ".where", rows, where))
                .orElse(rows);
        if (section.columns().isEmpty()) {
            return filtered;
        }
        List<String> known = Arrays.stream(rows.columns())
                .filter(column -> !ADDRESS.contains(column))
                .toList();
        List<Column> columns = new ArrayList<>();
        for (String column : section.columns()) {
            if (known.stream().noneMatch(column::equalsIgnoreCase)) {
                throw new ConfigException("sources." + source + ".columns: no column '" + column + "' in "
                        + section.location() + Suggestion.hint(column, known));
            }
            columns.add(Columns.named(column));
        }
        for (String address : ADDRESS) {
            if (Arrays.asList(rows.columns()).contains(address)) {
                columns.add(functions.col(address));
            }
        }
        return filtered.select(columns.toArray(Column[]::new));
    }
}
