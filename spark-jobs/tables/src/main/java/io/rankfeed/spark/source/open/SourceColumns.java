package io.rankfeed.spark.source.open;

import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.Condition;
import io.rankfeed.spark.file.RowAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

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

    /** The names of the columns that are read of a source: those that are chosen, and those of its condition. */
    public static List<String> read(String source, Dataset<Row> rows, SourceSection section) {
        if (section.columns().isEmpty()) {
            return Arrays.asList(rows.columns());
        }
        List<String> read = new ArrayList<>(section.columns());
        section.where()
                .map(where -> Condition.columns("sources." + source + ".where", rows, where))
                .ifPresent(read::addAll);
        return read;
    }

    /**
     * Leaves out columns whose names differ only in case, because Spark reads none of them.
     *
     * @param chosen the source's {@code columns:}; empty: all
     * @throws ConfigException if one of them is wanted
     */
    public static StructType distinct(String source, String file, StructType stored, List<String> chosen) {
        Map<String, List<String>> spellings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String column : stored.fieldNames()) {
            spellings.computeIfAbsent(column, key -> new ArrayList<>()).add(column);
        }
        spellings.forEach((column, same) -> {
            if (same.size() > 1 && (chosen.isEmpty() || chosen.stream().anyMatch(column::equalsIgnoreCase))) {
                throw new ConfigException("sources." + source + ": " + file + ": columns '" + String.join("', '", same)
                        + "' are one name in SQL, where names are case-insensitive; name the other columns under"
                        + " sources." + source + ".columns, or write the table again with other names");
            }
        });
        return new StructType(Arrays.stream(stored.fields())
                .filter(field ->
                        Objects.requireNonNull(spellings.get(field.name())).size() == 1)
                .toArray(StructField[]::new));
    }

    /**
     * Refuses columns with fields in them whose names differ only in case, of which Spark's readers read one as another.
     *
     * @param chosen the source's {@code columns:}; empty: all
     * @throws ConfigException naming the first such column that is wanted
     */
    public static void refuseInnerCase(String source, StructType stored, List<String> chosen) {
        for (StructField column : stored.fields()) {
            boolean isWanted = chosen.isEmpty() || chosen.stream().anyMatch(column.name()::equalsIgnoreCase);
            if (isWanted && column.dataType().existsRecursively(SourceColumns::hasInnerCase)) {
                throw new ConfigException("sources." + source + ": column '" + column.name() + "' is "
                        + column.dataType().sql() + ", in which names differ only in case; name the other columns under"
                        + " sources." + source + ".columns, or write the table again with other names");
            }
        }
    }

    private static boolean hasInnerCase(DataType type) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        return type instanceof StructType struct
                && !Arrays.stream(struct.fieldNames()).allMatch(names::add);
    }
}
