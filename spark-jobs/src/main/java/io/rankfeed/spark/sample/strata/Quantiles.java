package io.rankfeed.spark.sample.strata;

import io.rankfeed.spark.sample.strata.QuantileEdges.Found;
import io.rankfeed.spark.sample.strata.QuantileEdges.Order;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The quantiles that feeds ask for, found for all of them together.
 *
 * @param found by the key of the job that asks, as messages name it
 */
public record Quantiles(Map<String, Found> found) {
    public static final Quantiles NONE = new Quantiles(Map.of());

    public static Quantiles of(Dataset<Row> rows, Map<String, Order> orders) {
        List<Found> values = QuantileEdges.scanned(rows, List.copyOf(orders.values()));
        Map<String, Found> found = new HashMap<>();
        for (String where : orders.keySet()) {
            found.put(where, values.get(found.size()));
        }
        return new Quantiles(found);
    }

    Found at(String where) {
        return Objects.requireNonNull(found.get(where));
    }
}
