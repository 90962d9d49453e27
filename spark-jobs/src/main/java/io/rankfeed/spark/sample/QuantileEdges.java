package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.udf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/**
 * The values at given ranks of a column's order, exactly and without sorting: scans count the values in bins, then in smaller
 * bins where a wanted rank lies, until a bin is one value. However often a value stands, it costs the driver one line.
 */
final class QuantileEdges {
    static final String AT = "at";

    /** Bits by which bins are cut smaller: the driver counts some thousand bins for each rank. */
    private static final int REFINED_BITS = 12;

    private final Dataset<Row> values;

    /** How many values there are, how many rows have none, and the least and the greatest value. */
    private final Row extent;

    private QuantileEdges(Dataset<Row> values, Row extent) {
        this.values = values;
        this.extent = extent;
    }

    /**
     * Looks at the values: one scan.
     *
     * @param values column {@link #AT}, whose signed order is the values'
     */
    static QuantileEdges scanned(Dataset<Row> values) {
        return new QuantileEdges(
                values.where(col(AT).isNotNull()),
                values.agg(count(AT), count(lit(1)).minus(count(AT)), min(AT), max(AT))
                        .first());
    }

    long rows() {
        return extent.getLong(0);
    }

    /** Rows without a value, which no rank counts. */
    long nulls() {
        return extent.getLong(1);
    }

    /**
     * The values at these ranks, and the greatest of all behind them.
     *
     * @param ranks from 0, ascending, each below the number of rows
     */
    List<Long> at(List<Long> ranks) {
        long least = place(extent.getLong(2));
        long most = place(extent.getLong(3));
        int shift = Long.SIZE - Long.numberOfLeadingZeros(least ^ most);
        // By number the bins in which wanted ranks lie, with the rank of their first row.
        Map<Long, Long> wanted = new HashMap<>(Map.of(shifted(least, shift), 0L));
        while (shift > 0) {
            int next = Math.max(0, shift - REFINED_BITS);
            wanted = refined(wanted, shift, next, ranks);
            shift = next;
        }
        NavigableMap<Long, Long> byRank = new TreeMap<>();
        wanted.forEach((place, first) -> byRank.put(first, place));
        List<Long> found = new ArrayList<>();
        ranks.forEach(rank -> found.add(place(byRank.floorEntry(rank).getValue())));
        found.add(place(most));
        return found;
    }

    private Map<Long, Long> refined(Map<Long, Long> wanted, int shift, int next, List<Long> ranks) {
        Map<Long, NavigableMap<Long, Long>> histograms = new HashMap<>();
        UDF1<Long, Long> bin = at -> wanted.containsKey(shifted(place(at), shift)) ? shifted(place(at), next) : null;
        values.select(udf(bin, DataTypes.LongType).apply(col(AT)).as("bin"))
                .where(col("bin").isNotNull())
                .groupBy("bin")
                .count()
                .collectAsList()
                .forEach(row -> histograms
                        .computeIfAbsent(
                                shifted(row.getLong(0), shift - next), b -> new TreeMap<>(Long::compareUnsigned))
                        .put(row.getLong(0), row.getLong(1)));
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
        return refined;
    }

    /** Ascends, unsigned, with the signed order; its own inverse. */
    private static long place(long at) {
        return at ^ Long.MIN_VALUE;
    }

    private static long shifted(long place, int shift) {
        return shift == Long.SIZE ? 0 : place >>> shift;
    }
}
