package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat_ws;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.job.StrataColumn;
import io.rankfeed.spark.job.StrataColumn.OnUnbinned;
import io.rankfeed.spark.run.Columns;
import io.rankfeed.spark.source.Refusals;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;

/** The columns by which a feed's rows fall into strata, as Spark expressions, and the strata that occur. */
final class StrataColumns {
    /** Stands for a value that lies in no bin, and for null; no bin or value has such a name. */
    private static final String UNBINNED = "\u0000unbinned";

    private static final String NULL = "\u0000null";

    /** Names of the columns of {@link #counts} begin so. */
    private static final String PART = "part";

    /** More strata than this are a mistake in the job, and would all be collected. */
    private static final int MAX_STRATA = 100_000;

    private static final int SHOWN_VALUES = 5;

    private final String feed;
    private final List<StrataColumn> columns;

    /** @throws ConfigException if a column is unknown, cannot be binned, or cannot make strata */
    StrataColumns(String feed, List<StrataColumn> columns, Dataset<Row> rows) {
        this.feed = feed;
        this.columns = columns;
        Refusals refusals = new Refusals();
        columns.forEach(column -> refusals.check(() -> check(column, rows)));
        refusals.throwIfAny();
    }

    /** The name of a row's stratum. A row without a stratum has a name that {@link #strata} does not give. */
    Column name() {
        if (columns.isEmpty()) {
            return lit(CountedStratum.ALL);
        }
        return concat_ws("/", columns.stream().map(StrataColumns::part).toArray(Column[]::new));
    }

    /**
     * Counts rows by what makes their stratum, and by their bin in an order: one scan, of which {@link #strata} and
     * {@link #stratumOf} know all.
     *
     * @param bin as {@link RankBins} makes it; a constant where only strata are asked for
     */
    Dataset<Row> counts(Dataset<Row> rows, Column bin) {
        Column[] grouped = new Column[columns.size() + 1];
        for (int i = 0; i < columns.size(); i++) {
            grouped[i] = part(columns.get(i)).as(PART + i);
        }
        grouped[columns.size()] = bin.as(RankBins.BIN);
        return rows.groupBy(grouped).count();
    }

    /**
     * The strata that occur and how many rows each has, by name; rows in no bin are left out where the job says drop.
     *
     * @param counts from {@link #counts}
     * @param rows those that were counted, read again only to tell what is wrong with them
     * @throws ConfigException naming the column, the values and how many, where a value lies in no bin or is null
     */
    List<CountedStratum> strata(Dataset<Row> counts, Dataset<Row> rows) {
        if (columns.isEmpty()) {
            return List.of(new CountedStratum(CountedStratum.ALL, List.of(), total(counts)));
        }
        List<Row> groups = counts.groupBy(parts())
                .agg(sum(RankBins.COUNT))
                .limit(MAX_STRATA + 1)
                .collectAsList();
        if (groups.size() > MAX_STRATA) {
            throw new ConfigException("feed '" + feed + "': the strata columns have more than " + MAX_STRATA
                    + " combinations of values; use bins, or fewer columns");
        }
        return strata(groups, rows);
    }

    /** The name of the stratum of what {@link #counts} counted. */
    Column stratumOf() {
        return columns.isEmpty() ? lit(CountedStratum.ALL) : concat_ws("/", parts());
    }

    /** Rows that lie in no bin of a column that drops such rows. */
    long dropped(Dataset<Row> counts, List<CountedStratum> counted) {
        return total(counts) - counted.stream().mapToLong(CountedStratum::rows).sum();
    }

    private static long total(Dataset<Row> counts) {
        return counts.agg(coalesce(sum(RankBins.COUNT), lit(0L))).head().getLong(0);
    }

    private Column[] parts() {
        return IntStream.range(0, columns.size()).mapToObj(i -> col(PART + i)).toArray(Column[]::new);
    }

    private List<CountedStratum> strata(List<Row> groups, Dataset<Row> rows) {
        refuseOutside(groups, rows);
        List<CountedStratum> strata = new ArrayList<>();
        Map<String, List<String>> partsOf = new HashMap<>();
        for (Row group : groups) {
            List<String> parts = new ArrayList<>();
            boolean dropped = false;
            for (int i = 0; i < columns.size(); i++) {
                String part = group.getString(i);
                dropped |= part.equals(UNBINNED);
                parts.add(part);
            }
            if (!dropped) {
                String name = String.join("/", parts);
                List<String> twin = partsOf.put(name, parts);
                if (twin != null) {
                    throw new ConfigException("feed '" + feed + "': the values " + twin + " and " + parts
                            + " both make the stratum '" + name + "'; replace the '/' in them by the job's SQL");
                }
                strata.add(new CountedStratum(name, parts, group.getLong(columns.size())));
            }
        }
        strata.sort(Comparator.comparing(CountedStratum::name));
        return strata;
    }

    /** Values that make no part of a stratum's name, and that the job does not drop. */
    private void refuseOutside(List<Row> groups, Dataset<Row> rows) {
        Refusals refusals = new Refusals();
        for (int i = 0; i < columns.size(); i++) {
            int at = i;
            StrataColumn column = columns.get(i);
            if (groups.stream().anyMatch(group -> group.getString(at).equals(NULL))) {
                refusals.check(() -> refuseNull(column, rows));
            }
            if (column.onUnbinned() == OnUnbinned.ERROR
                    && groups.stream().anyMatch(group -> group.getString(at).equals(UNBINNED))) {
                refusals.check(() -> refuseUnbinned(column, rows));
            }
        }
        refusals.throwIfAny();
    }

    private void refuseNull(StrataColumn column, Dataset<Row> rows) {
        long nulls = rows.where(Columns.named(column.column()).isNull()).count();
        throw new ConfigException("feed '" + feed + "': strata column '" + column.column() + "' has no value in "
                + nulls + " rows; give them one with coalesce in the job's SQL, or leave them out by where");
    }

    private void refuseUnbinned(StrataColumn column, Dataset<Row> rows) {
        Column value = Columns.named(column.column());
        List<Row> values = rows.where(part(column).equalTo(UNBINNED))
                .groupBy(value.cast("string").as("value"))
                .count()
                .orderBy(col("count").desc(), col("value"))
                .limit(SHOWN_VALUES + 1)
                .collectAsList();
        String shown = values.stream()
                .limit(SHOWN_VALUES)
                .map(row -> row.getString(0) + " in " + row.getLong(1) + " rows")
                .collect(Collectors.joining(", "));
        throw new ConfigException("feed '" + feed + "': values of strata column '" + column.column()
                + "' lie in no bin: " + shown + (values.size() > SHOWN_VALUES ? ", and more" : "")
                + "; add or widen a bin, leave the rows out by where, or set on-unbinned: drop");
    }

    private void check(StrataColumn column, Dataset<Row> rows) {
        List<String> names = List.of(rows.columns()).stream()
                .filter(name -> !name.startsWith("_"))
                .toList();
        if (!names.contains(column.column())) {
            throw new ConfigException("feed '" + feed + "': strata column '" + column.column()
                    + "' is no prepared column" + Suggestion.hint(column.column(), names));
        }
        DataType type = rows.schema().apply(column.column()).dataType();
        boolean numeric = type instanceof NumericType;
        if (!column.bins().isEmpty() && !numeric) {
            throw new ConfigException("feed '" + feed + "': strata column '" + column.column() + "' is "
                    + type.simpleString() + "; only numbers have bins");
        }
        String kind = type.typeName();
        if (column.bins().isEmpty() && (kind.equals("binary") || kind.equals("float") || kind.equals("double"))) {
            throw new ConfigException("feed '" + feed + "': strata column '" + column.column() + "' is " + kind
                    + ", whose values make no strata; give bins, or another column");
        }
    }

    private static Column part(StrataColumn column) {
        Column value = Columns.named(column.column());
        if (column.bins().isEmpty()) {
            return coalesce(value.cast("string"), lit(NULL));
        }
        Column part = when(value.isNull(), NULL);
        for (Map.Entry<String, List<BigDecimal>> bin : column.bins().entrySet()) {
            List<BigDecimal> range = bin.getValue();
            Column inside = value.geq(range.get(0)).and(value.leq(range.get(1)));
            part = part.when(inside, bin.getKey());
        }
        return part.otherwise(UNBINNED);
    }
}
