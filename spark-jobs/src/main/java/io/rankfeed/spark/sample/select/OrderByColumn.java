package io.rankfeed.spark.sample.select;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.engine.Columns;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The column of {@code order-by}. */
public final class OrderByColumn {
    private static final Set<String> TYPES = Set.of("byte", "short", "integer", "long");

    private OrderByColumn() {}

    /** @throws ConfigException if the column is unknown, it holds no whole numbers, or a row has none */
    public static void check(String feed, String column, Dataset<Row> rows) {
        List<String> names = Arrays.stream(rows.columns())
                .filter(name -> !name.startsWith("_"))
                .toList();
        if (!names.contains(column)) {
            throw new ConfigException("feed '" + feed + "': order-by: '" + column + "' is not a prepared column"
                    + Suggestion.hint(column, names));
        }
        String type = rows.schema().apply(column).dataType().typeName();
        if (!TYPES.contains(type)) {
            throw new ConfigException("feed '" + feed + "': order-by: '" + column + "' is " + type
                    + "; an order is given by an integer column");
        }
        long nulls = rows.where(Columns.named(column).isNull()).count();
        if (nulls > 0) {
            throw new ConfigException(
                    "feed '" + feed + "': order-by: '" + column + "' has no value in " + Plural.counted(nulls, "row")
                            + "; give them one with coalesce in the job's SQL, or filter them with where");
        }
    }
}
