package io.rankfeed.spark.sample.strata;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;

import io.rankfeed.job.StrataColumn;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.manifest.FeedDecisions.Edge;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.Condition;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;

/**
 * The part of the names of strata that one strata column gives, as a Spark expression.
 *
 * @param value of the column or the SQL expression
 * @param part the value or bin of a row; {@link #UNBINNED} or {@link #NULL} where it has none
 * @param edges of quantile bins
 */
public record StrataPart(StrataColumn column, Column value, Column part, List<Edge> edges) {
    /** Stands for an unbinned value, and for null; no bin or value has such a name. */
    static final String UNBINNED = "\uFFFFunbinned";

    static final String NULL = "\uFFFFnull";

    /** @throws ConfigException if the column is unknown, cannot be binned, or cannot make strata */
    static StrataPart of(String feed, StrataColumn column, Dataset<Row> rows, Quantiles quantiles) {
        String where = where(feed, column);
        Column value = value(where, column, rows);
        DataType type = type(where, column, value, rows);
        List<Edge> edges = List.of();
        Column part;
        if (column.hasQuantiles()) {
            List<Long> ends = quantiles.at(where).ends();
            if (ends.isEmpty()) {
                throw new ConfigException(where + " has no value in any row, so it has no quantiles");
            }
            edges = edges(column, ends, isWhole(type));
            part = byEdges(where, column, number(value, type), ends, isWhole(type));
        } else if (!column.bins().isEmpty()) {
            part = byRanges(column, value);
        } else {
            part = coalesce(value.cast("string"), lit(NULL));
        }
        return new StrataPart(column, value, part, edges);
    }

    /**
     * Puts the order of which a column has quantiles with those that are to be found.
     *
     * @param counted the feed's rows
     * @throws ConfigException as {@link #of} does
     */
    public static void order(
            String feed,
            StrataColumn column,
            Dataset<Row> rows,
            Column counted,
            Map<String, QuantileEdges.Order> orders) {
        if (column.hasQuantiles()) {
            String where = where(feed, column);
            Column value = value(where, column, rows);
            DataType type = type(where, column, value, rows);
            List<BigDecimal> shares = List.copyOf(column.quantileShares().values());
            orders.put(where, new QuantileEdges.Order(counted, position(value, type), n -> ranks(shares, n)));
        }
    }

    private static String where(String feed, StrataColumn column) {
        return "feed '" + feed + "': strata column '" + column.displayName() + "'";
    }

    private static Column value(String where, StrataColumn column, Dataset<Row> rows) {
        return column.sql()
                .map(sql -> Condition.value(where + ", sql", rows, sql))
                .orElseGet(() -> named(where, column.displayName(), rows));
    }

    private static DataType type(String where, StrataColumn column, Column value, Dataset<Row> rows) {
        DataType type = rows.select(value.as("value")).schema().apply(0).dataType();
        check(where, column, type);
        return type;
    }

    private static Column number(Column value, DataType type) {
        return value.cast(isWhole(type) ? DataTypes.LongType : DataTypes.DoubleType);
    }

    /** A number's position among those of its type, as {@link QuantileEdges} orders them; NaN has none. */
    private static Column position(Column value, DataType type) {
        Column number = number(value, type);
        UDF1<Double, Long> ordered = read -> read == null || read.isNaN() ? null : ordered(read);
        return isWhole(type) ? number : udf(ordered, DataTypes.LongType).apply(number);
    }

    private static Column named(String where, String column, Dataset<Row> rows) {
        List<String> names = List.of(rows.columns()).stream()
                .filter(name -> !name.startsWith("_"))
                .toList();
        if (!names.contains(column)) {
            throw new ConfigException(where + " is not a prepared column" + Suggestion.hint(column, names));
        }
        return Columns.named(column);
    }

    private static void check(String where, StrataColumn column, DataType type) {
        if (column.isBinned() && !(type instanceof NumericType)) {
            throw new ConfigException(where + " is " + type.simpleString() + "; only numbers have bins");
        }
        String kind = type.typeName();
        boolean plain = List.of("boolean", "string").contains(kind) || isWhole(type) || kind.startsWith("decimal");
        if (!column.isBinned() && !plain) {
            throw new ConfigException(
                    where + " is " + kind + ", whose values make no strata; give bins, or another column");
        }
    }

    static boolean isWhole(DataType type) {
        return List.of("byte", "short", "integer", "long").contains(type.typeName());
    }

    private static Column byRanges(StrataColumn column, Column value) {
        Column part = when(value.isNull(), NULL);
        for (Map.Entry<String, List<BigDecimal>> bin : column.bins().entrySet()) {
            List<BigDecimal> range = bin.getValue();
            part = part.when(value.geq(range.get(0)).and(value.leq(range.get(1))), bin.getKey());
        }
        return part.otherwise(unbinned(column));
    }

    private static String unbinned(StrataColumn column) {
        return column.onUnbinned() == StrataColumn.OnUnbinned.OWN ? StrataColumn.OWN : UNBINNED;
    }

    /** The ranks of the last rows of all bins but the last: the minimum ranks at which the bins have at least their share. */
    static List<Long> ranks(List<BigDecimal> shares, long rows) {
        int digits = shares.stream().mapToInt(BigDecimal::scale).max().orElse(0);
        List<BigInteger> scaled = shares.stream()
                .map(share -> share.movePointRight(digits).toBigIntegerExact())
                .toList();
        BigInteger total = scaled.stream().reduce(BigInteger.ZERO, BigInteger::add);
        List<Long> ranks = new ArrayList<>();
        BigInteger upTo = BigInteger.ZERO;
        for (BigInteger share : scaled.subList(0, scaled.size() - 1)) {
            upTo = upTo.add(share);
            BigInteger[] parts = BigInteger.valueOf(rows).multiply(upTo).divideAndRemainder(total);
            ranks.add(parts[0].longValueExact() - (parts[1].signum() == 0 ? 1 : 0));
        }
        return ranks;
    }

    private static List<Edge> edges(StrataColumn column, List<Long> ends, boolean whole) {
        List<Edge> edges = new ArrayList<>();
        for (String bin : column.quantileShares().keySet()) {
            long end = ends.get(edges.size());
            edges.add(new Edge(column.displayName(), bin, whole ? Long.toString(end) : Double.toString(number(end))));
        }
        return edges;
    }

    private static Column byEdges(String where, StrataColumn column, Column value, List<Long> ends, boolean whole) {
        List<String> bins = List.copyOf(column.quantileShares().keySet());
        Column part = when(value.isNull(), NULL);
        for (int i = 0; i < bins.size(); i++) {
            if (i > 0 && ends.get(i).equals(ends.get(i - 1))) {
                throw new ConfigException(where + ": the bin '" + bins.get(i) + "' is empty, for so many rows have the"
                        + " value " + (whole ? "" + ends.get(i) : "" + number(ends.get(i)))
                        + " that it ends the bin before too; ask for fewer quantiles, or give bins");
            }
            Object end = whole ? (Object) ends.get(i) : (Object) number(ends.get(i));
            part = part.when(value.leq(lit(end)), bins.get(i));
        }
        return part.otherwise(unbinned(column));
    }

    /** A number whose signed order is that of doubles; −0.0 is 0.0. */
    static long ordered(double value) {
        long bits = Double.doubleToLongBits(value + 0.0);
        return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
    }

    private static double number(long ordered) {
        return Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MAX_VALUE : ordered);
    }
}
