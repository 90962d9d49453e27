package io.rankfeed.spark.sample.strata;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.posexplode;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;

/**
 * The values at given ranks of several orders of a table's rows, exactly and without sorting: scans, which all orders share,
 * count the values in bins, then in smaller bins where a wanted rank is, until a bin is one value. However often a value
 * is, it costs the driver one line.
 */
public final class QuantileEdges {
    private static final String ORDER = "pos";
    private static final String AT = "col";

    /** Bits by which bins are cut smaller: the driver counts some thousand bins for each rank. */
    private static final int REFINED_BITS = 12;

    /**
     * An order of rows.
     *
     * @param counted true for the rows that it is of
     * @param at a row's position in the order, a signed 64-bit number; null where it has none
     * @param ranks which are asked for of so many values: from 0, ascending, each below their number
     */
    public record Order(Column counted, Column at, LongFunction<List<Long>> ranks) {
        Column position() {
            return when(counted, at);
        }
    }

    /**
     * The values that were found at the ranks of an order.
     *
     * @param rows with a value
     * @param nulls rows without, which no rank counts
     * @param ends the values at the ranks, and the greatest of all after them; empty where no row has a value
     */
    public record Found(long rows, long nulls, List<Long> ends) {}

    private final Dataset<Row> positions;
    private final List<Search> searches = new ArrayList<>();

    private QuantileEdges(Dataset<Row> positions) {
        this.positions = positions;
    }

    /** Scans the rows once or more for all orders, and returns one result for each; without orders, there is no scan. */
    public static List<Found> scanned(Dataset<Row> rows, List<Order> orders) {
        if (orders.isEmpty()) {
            return List.of();
        }
        Column[] extents = orders.stream()
                .map(order -> array(
                        count(order.position()),
                        count(when(order.counted(), lit(1))),
                        min(order.position()),
                        max(order.position())))
                .toArray(Column[]::new);
        Dataset<Row> counted = rows.where(
                orders.stream().map(Order::counted).reduce(Column::or).orElseThrow());
        Row found = counted.select(extents).first();
        Column[] at = orders.stream().map(Order::position).toArray(Column[]::new);
        QuantileEdges edges =
                new QuantileEdges(counted.select(posexplode(array(at))).where(col(AT).isNotNull()));
        for (int i = 0; i < orders.size(); i++) {
            List<Long> extent = found.getList(i);
            edges.searches.add(new Search(orders.get(i), extent));
        }
        while (edges.searches.stream().anyMatch(search -> search.shift > 0)) {
            edges.refine();
        }
        return edges.searches.stream().map(Search::found).toList();
    }

    private void refine() {
        List<Map<Long, NavigableMap<Long, Long>>> histograms = new ArrayList<>();
        searches.forEach(search -> histograms.add(new HashMap<>()));
        int[] shifts = searches.stream().mapToInt(search -> search.shift).toArray();
        int[] next = searches.stream().mapToInt(Search::next).toArray();
        List<Map<Long, Long>> wanted =
                searches.stream().map(search -> search.wanted).toList();
        UDF2<Integer, Long, Long> bin =
                (order, at) -> shifts[order] > 0 && wanted.get(order).containsKey(shifted(unsigned(at), shifts[order]))
                        ? shifted(unsigned(at), next[order])
                        : null;
        positions
                .select(
                        col(ORDER),
                        udf(bin, DataTypes.LongType).apply(col(ORDER), col(AT)).as("bin"))
                .where(col("bin").isNotNull())
                .groupBy(ORDER, "bin")
                .count()
                .collectAsList()
                .forEach(row -> {
                    int order = row.getInt(0);
                    histograms
                            .get(order)
                            .computeIfAbsent(
                                    shifted(row.getLong(1), shifts[order] - next[order]),
                                    b -> new TreeMap<>(Long::compareUnsigned))
                            .put(row.getLong(1), row.getLong(2));
                });
        for (int i = 0; i < searches.size(); i++) {
            searches.get(i).narrow(histograms.get(i));
        }
    }

    /** The bins that may contain the ranks of one order. */
    private static final class Search {
        private final long rows;
        private final long nulls;
        private final long max;
        private final List<Long> ranks;
        private int shift;

        /** The bins that contain wanted ranks, by number, with the rank of their first row. */
        private Map<Long, Long> wanted = Map.of();

        /** @param extent how many values, how many rows, the least and the greatest value */
        Search(Order order, List<Long> extent) {
            rows = extent.get(0);
            nulls = extent.get(1) - rows;
            max = rows == 0 ? 0 : unsigned(extent.get(3));
            ranks = rows == 0 ? List.of() : order.ranks().apply(rows);
            if (rows > 0) {
                long min = unsigned(extent.get(2));
                shift = Long.SIZE - Long.numberOfLeadingZeros(min ^ max);
                wanted = new HashMap<>(Map.of(shifted(min, shift), 0L));
            }
        }

        int next() {
            return Math.max(0, shift - REFINED_BITS);
        }

        void narrow(Map<Long, NavigableMap<Long, Long>> histograms) {
            if (shift == 0) {
                return;
            }
            shift = next();
            Map<Long, Long> refined = new HashMap<>();
            wanted.forEach((parent, firstRank) -> {
                long first = firstRank;
                for (Map.Entry<Long, Long> entry :
                        histograms.getOrDefault(parent, new TreeMap<>()).entrySet()) {
                    long from = first;
                    long to = first + entry.getValue();
                    if (ranks.stream().anyMatch(rank -> rank >= from && rank < to)) {
                        refined.put(entry.getKey(), from);
                    }
                    first = to;
                }
            });
            wanted = refined;
        }

        Found found() {
            NavigableMap<Long, Long> byRank = new TreeMap<>();
            wanted.forEach((position, first) -> byRank.put(first, position));
            List<Long> ends = new ArrayList<>();
            ranks.forEach(rank -> ends.add(unsigned(byRank.floorEntry(rank).getValue())));
            if (rows > 0) {
                ends.add(unsigned(max));
            }
            return new Found(rows, nulls, ends);
        }
    }

    /** Ascends, unsigned, with the signed order; its own inverse. */
    private static long unsigned(long at) {
        return at ^ Long.MIN_VALUE;
    }

    private static long shifted(long position, int shift) {
        return shift == Long.SIZE ? 0 : position >>> shift;
    }
}
