package io.rankfeed.spark.sample;

import io.rankfeed.spark.sample.QuantileEdges.Found;
import io.rankfeed.spark.sample.QuantileEdges.Order;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The quantiles that feeds ask for, found for all of them together.
 *
 * @param found by the place in the job that asks, as messages name it
 */
record Quantiles(Map<String, Found> found) {
    static final Quantiles NONE = new Quantiles(Map.of());

    /** Scans each table once for all feeds over it; a feed with a list looks at the list's rows itself. */
    static Quantiles of(Collection<FeedPlanner> planners) {
        IdentityHashMap<Dataset<Row>, Map<String, Order>> ordersOf = new IdentityHashMap<>();
        for (FeedPlanner planner : planners) {
            ordersOf.computeIfAbsent(planner.prepared(), table -> new LinkedHashMap<>())
                    .putAll(planner.ordersOfTable());
        }
        Map<String, Found> found = new HashMap<>();
        ordersOf.forEach((table, orders) -> found.putAll(of(table, orders).found()));
        return new Quantiles(found);
    }

    static Quantiles of(Dataset<Row> rows, Map<String, Order> orders) {
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
