package io.rankfeed.spark.sample.strata;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;

import io.rankfeed.job.Stage;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.Condition;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;

/**
 * The level of a row in each stage, from 0, which orders the stage's rows from easy to hard: the index of the row's
 * value among 256 equal parts of the feed's rows. Equal values have one level.
 *
 * @param columns by stage; nothing for a stage that is in no order
 */
public record StageLevels(List<Optional<Column>> columns) {
    static final int LEVELS = 256;

    /** @throws ConfigException if an order is not a number of a row, or a row has none */
    public static StageLevels of(String feed, List<Stage> stages, Dataset<Row> rows, Quantiles quantiles) {
        List<Optional<Column>> columns = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            String where = where(feed, i);
            columns.add(
                    stages.get(i).orderBy().map(sql -> level(where, position(where, sql, rows), quantiles.at(where))));
        }
        return new StageLevels(List.copyOf(columns));
    }

    /**
     * Puts the order of a stage, if it has one, with those of which quantiles are to be found.
     *
     * @param counted the feed's rows
     * @throws ConfigException as {@link #of} does
     */
    public static void order(
            String feed,
            int stage,
            Stage of,
            Dataset<Row> rows,
            Column counted,
            Map<String, QuantileEdges.Order> orders) {
        List<BigDecimal> shares = Collections.nCopies(LEVELS, BigDecimal.ONE);
        String where = where(feed, stage);
        of.orderBy()
                .ifPresent(sql -> orders.put(
                        where,
                        new QuantileEdges.Order(
                                counted, position(where, sql, rows), n -> StrataPart.ranks(shares, n))));
    }

    private static String where(String feed, int stage) {
        return "feed '" + feed + "', stage " + stage + ", order-by";
    }

    public boolean isEmpty() {
        return columns.stream().allMatch(Optional::isEmpty);
    }

    /** NaN is greater than all numbers. */
    private static Column position(String where, String sql, Dataset<Row> rows) {
        Column value = Condition.value(where, rows, sql);
        DataType type = rows.select(value.as("value")).schema().apply(0).dataType();
        if (!(type instanceof NumericType)) {
            throw new ConfigException(where + " is " + type.simpleString() + "; easy to hard goes by a number");
        }
        UDF1<Double, Long> ordered = number -> number == null ? null : StrataPart.ordered(number);
        return StrataPart.isWhole(type)
                ? value.cast(DataTypes.LongType)
                : udf(ordered, DataTypes.LongType).apply(value.cast(DataTypes.DoubleType));
    }

    private static Column level(String where, Column at, QuantileEdges.Found values) {
        if (values.nulls() > 0) {
            throw new ConfigException(where + " has no value in " + Plural.counted(values.nulls(), "row")
                    + "; give them one with coalesce, or filter them with where");
        }
        long[] edges = values.ends().stream().mapToLong(end -> end).distinct().toArray();
        UDF1<Long, Integer> level = position -> {
            int found = Arrays.binarySearch(edges, position);
            return found < 0 ? -found - 1 : found;
        };
        return udf(level, DataTypes.IntegerType).apply(at);
    }

    /** The columns by name, 0 where there is no order. */
    public Dataset<Row> added(Dataset<Row> rows) {
        Dataset<Row> added = rows;
        for (int i = 0; i < columns.size(); i++) {
            added = added.withColumn(name(i), columns.get(i).orElse(lit(0)));
        }
        return added;
    }

    public static String name(int stage) {
        return "__rf_level" + stage;
    }

    /** The level of a row in the stage of a column's number. */
    public Column of(Column stage) {
        Column level = lit(0);
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).isPresent()) {
                level = when(stage.equalTo(i), col(name(i))).otherwise(level);
            }
        }
        return level;
    }
}
