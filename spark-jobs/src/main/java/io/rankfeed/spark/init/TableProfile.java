package io.rankfeed.spark.init;

import io.rankfeed.spark.engine.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VariantType;

/**
 * The statistics of the first rows of a table.
 *
 * @param rows that were looked at
 * @param key columns that together are different in each of them and never null; empty if none were found
 * @param different columns by whose values rows can be parted: the key, or where it is empty all that are different in many rows
 * @param splits values of {@code split}
 * @param split column that says which part a row is of, for training or validation; empty if there is none
 */
record TableProfile(
        long rows,
        List<ColumnProfile> columns,
        List<String> key,
        List<String> different,
        List<String> splits,
        String split) {
    /** The maximum number of rows that are profiled; the others are ignored. */
    static final int MAX_ROWS = 1_000_000;

    private static final int SAMPLES = 20;
    /** Numbers of a column that one pass finds. */
    private static final int FACTS = 5;

    private static final int MAX_PARTS = 10;
    private static final int MAX_KEYS = 3;
    private static final int MAX_HASHED = 8;
    private static final int MIN_DIFFERENT = 50;
    private static final double UNIQUE = 0.9;
    private static final String SPLIT_NAMES = "split|subset|fold|partition|part|set";

    /** @param needsKey if rows have no row number in a file, so that any key is better than none */
    static TableProfile of(Dataset<Row> table, boolean needsKey) {
        Dataset<Row> first = table.limit(MAX_ROWS);
        List<Column> facts = new ArrayList<>(List.of(functions.count(functions.lit(1))));
        StructField[] fields = table.schema().fields();
        for (StructField field : fields) {
            Column column = Columns.named(field.name());
            facts.add(functions.count_if(column.isNull()));
            facts.add(
                    field.dataType() instanceof ArrayType
                            ? functions.count_if(functions.exists(column, Column::isNull))
                            : functions.lit(0L));
            facts.add(isComparable(field.dataType()) ? functions.approx_count_distinct(column) : functions.lit(0L));
            Column length = length(column, field.dataType());
            facts.add(functions.coalesce(functions.avg(length), functions.lit(0.0)));
            facts.add(functions.coalesce(functions.max(length).cast("bigint"), functions.lit(0L)));
        }
        Row found = first.agg(facts.get(0), facts.subList(1, facts.size()).toArray(Column[]::new))
                .first();
        List<Row> samples = table.limit(SAMPLES).collectAsList();
        List<ColumnProfile> columns = new ArrayList<>();
        for (int i = 0; i < fields.length; i++) {
            int at = 1 + FACTS * i;
            int column = i;
            columns.add(new ColumnProfile(
                    fields[i].name(),
                    fields[i].dataType(),
                    found.getLong(at),
                    found.getLong(at + 1),
                    found.getLong(at + 2),
                    found.getDouble(at + 3),
                    found.getLong(at + 4),
                    samples.stream()
                            .map(row -> row.get(column))
                            .filter(Objects::nonNull)
                            .toList()));
        }
        long rows = found.getLong(0);
        String split = split(first, columns);
        List<String> single = key(first, columns, rows);
        List<String> key = single.isEmpty() && needsKey ? wideKey(first, columns, rows) : single;
        return new TableProfile(
                rows,
                columns,
                key,
                key.isEmpty() ? different(first, columns) : key,
                split.isEmpty() ? List.of() : values(first, split),
                split);
    }

    private static boolean isComparable(DataType type) {
        return !(type instanceof MapType
                || type instanceof StructType
                || type instanceof ArrayType
                || type instanceof VariantType);
    }

    /** Returns the profile with a key that a user chose. */
    TableProfile withKey(List<String> chosen) {
        return new TableProfile(rows, columns, chosen, chosen.isEmpty() ? different : chosen, splits, split);
    }

    /** Returns the profile without a column for the parts of rows. */
    TableProfile withoutSplit() {
        return new TableProfile(rows, columns, key, different, List.of(), "");
    }

    /** Whether no two rows have the same values in these columns. */
    boolean isKey(Dataset<Row> table, List<String> names) {
        return distinct(table.limit(MAX_ROWS), names) == rows;
    }

    private static Column length(Column column, DataType type) {
        if (type instanceof StringType) {
            return functions.length(column).cast("double");
        } else if (type instanceof BinaryType) {
            return functions.octet_length(column).cast("double");
        } else if (type instanceof ArrayType) {
            return functions.size(column).cast("double");
        }
        return functions.lit(0.0);
    }

    /**
     * Returns a column whose values are all different, preferably one that is named as a key; empty if there is none.
     */
    private static List<String> key(Dataset<Row> table, List<ColumnProfile> columns, long rows) {
        List<ColumnProfile> likely = columns.stream()
                .filter(column -> column.type() instanceof IntegralType || column.type() instanceof StringType)
                .filter(column -> column.nulls() == 0 && column.distinct() > UNIQUE * rows)
                .sorted((a, b) -> Boolean.compare(!isNamedAsKey(a), !isNamedAsKey(b)))
                .limit(MAX_KEYS)
                .toList();
        for (ColumnProfile column : likely) {
            if (distinct(table, List.of(column.name())) == rows) {
                return List.of(column.name());
            }
        }
        return List.of();
    }

    /** Returns all columns that may be in a key, if their values together are different in each row; otherwise none. */
    private static List<String> wideKey(Dataset<Row> table, List<ColumnProfile> columns, long rows) {
        List<String> names = hashable(columns);
        return distinct(table, names) == rows ? names : List.of();
    }

    private static List<String> different(Dataset<Row> table, List<ColumnProfile> columns) {
        List<String> names = hashable(columns);
        return distinct(table, names) >= MIN_DIFFERENT ? names : List.of();
    }

    private static List<String> hashable(List<ColumnProfile> columns) {
        return columns.stream()
                .filter(column -> column.nulls() == 0)
                .filter(column -> column.type() instanceof IntegralType
                        || column.type() instanceof StringType
                        || column.type() instanceof BooleanType)
                .sorted((a, b) -> Long.compare(b.distinct(), a.distinct()))
                .limit(MAX_HASHED)
                .map(ColumnProfile::name)
                .toList();
    }

    private static long distinct(Dataset<Row> table, List<String> names) {
        Column[] selected = names.stream().map(Columns::named).toArray(Column[]::new);
        return selected.length == 0 ? 0 : table.select(selected).distinct().count();
    }

    private static boolean isNamedAsKey(ColumnProfile column) {
        return column.name().matches("(?i)(.*_)?(id|key|uuid|path|url|handle)");
    }

    private static String split(Dataset<Row> table, List<ColumnProfile> columns) {
        return columns.stream()
                .filter(column -> column.type() instanceof StringType
                        && column.name().matches("(?i)(.*_)?(" + SPLIT_NAMES + ")")
                        && column.distinct() <= MAX_PARTS)
                .map(ColumnProfile::name)
                .filter(name -> values(table, name).stream().anyMatch(TableProfile::isTraining))
                .findFirst()
                .orElse("");
    }

    static boolean isTraining(String part) {
        return part.matches("(?i)train(ing)?");
    }

    private static List<String> values(Dataset<Row> table, String column) {
        return table
                .select(Columns.named(column))
                .distinct()
                .orderBy(Columns.named(column))
                .limit(MAX_PARTS + 1)
                .collectAsList()
                .stream()
                .filter(row -> !row.isNullAt(0))
                .map(row -> row.getString(0))
                .toList();
    }
}
