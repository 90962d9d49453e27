package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;

/**
 * Finds the rows at given ranks of their stratum's order without sorting it: one scan counts rows in bins of the
 * order, a second one collects only the bins in which a wanted rank lies. Exact, and the same for every partitioning.
 */
final class RankSearch {
    private record BinOf(int stratum, long bin) {}

    private final Dataset<Row> keyed;
    private final int[] shifts;

    /**
     * @param keyed columns {@link KeyedRows#STRATUM}, {@link KeyedRows#AT}, {@link KeyedRows#KEY}
     * @param shifts per stratum how many low bits of the order a bin spans
     */
    RankSearch(Dataset<Row> keyed, int[] shifts) {
        this.keyed = keyed;
        this.shifts = shifts;
    }

    /**
     * @param ranks per stratum, ascending, from 0, each below the stratum's number of rows
     * @return per stratum the rows at these ranks, in their order
     * @throws IllegalStateException if a stratum has fewer rows than it was counted to have
     */
    Map<Integer, List<RankedRow>> at(Map<Integer, List<Long>> ranks) {
        if (ranks.isEmpty()) {
            return Map.of();
        }
        Map<Integer, NavigableMap<Long, Long>> binAtRank = binAtRank(new HashSet<>(ranks.keySet()));
        Map<Integer, Set<Long>> bins = new HashMap<>();
        ranks.forEach((stratum, wanted) -> wanted.forEach(rank -> bins.computeIfAbsent(stratum, s -> new HashSet<>())
                .add(bin(binAtRank, stratum, rank).getValue())));
        Map<BinOf, List<RankedRow>> rowsOfBin = rowsOfBin(bins);
        Map<Integer, List<RankedRow>> found = new HashMap<>();
        ranks.forEach((stratum, wanted) -> {
            List<RankedRow> rows = new ArrayList<>();
            for (long rank : wanted) {
                Map.Entry<Long, Long> bin = bin(binAtRank, stratum, rank);
                List<RankedRow> rowsThere = rowsOfBin.getOrDefault(new BinOf(stratum, bin.getValue()), List.of());
                rows.add(rowsThere.get((int) (rank - bin.getKey())));
            }
            found.put(stratum, rows);
        });
        return found;
    }

    /** Per stratum its bins, each under the rank of its first row. */
    private Map<Integer, NavigableMap<Long, Long>> binAtRank(Set<Integer> strata) {
        int[] shift = shifts;
        UDF2<Integer, Long, Long> bin = (stratum, at) -> strata.contains(stratum) ? bin(at, shift[stratum]) : null;
        Map<Integer, TreeMap<Long, Long>> histograms = new HashMap<>();
        keyed.select(col(KeyedRows.STRATUM), call(bin).as("bin"))
                .where(col("bin").isNotNull())
                .groupBy(KeyedRows.STRATUM, "bin")
                .count()
                .collectAsList()
                .forEach(row -> histograms
                        .computeIfAbsent(row.getInt(0), s -> new TreeMap<>())
                        .put(row.getLong(1), row.getLong(2)));
        Map<Integer, NavigableMap<Long, Long>> binAtRank = new HashMap<>();
        histograms.forEach((stratum, histogram) -> {
            NavigableMap<Long, Long> bins = binAtRank.computeIfAbsent(stratum, s -> new TreeMap<>());
            long rows = 0;
            for (Map.Entry<Long, Long> entry : histogram.entrySet()) {
                bins.put(rows, entry.getKey());
                rows += entry.getValue();
            }
        });
        return binAtRank;
    }

    private Map<BinOf, List<RankedRow>> rowsOfBin(Map<Integer, Set<Long>> bins) {
        int[] shift = shifts;
        UDF2<Integer, Long, Long> bin = (stratum, at) -> {
            Set<Long> some = bins.get(stratum);
            long of = bin(at, shift[stratum]);
            return some != null && some.contains(of) ? of : null;
        };
        Map<BinOf, List<RankedRow>> rowsOfBin = new HashMap<>();
        keyed.select(col(KeyedRows.STRATUM), call(bin).as("bin"), col(KeyedRows.AT), col(KeyedRows.KEY))
                .where(col("bin").isNotNull())
                .collectAsList()
                .forEach(row -> rowsOfBin
                        .computeIfAbsent(new BinOf(row.getInt(0), row.getLong(1)), b -> new ArrayList<>())
                        .add(new RankedRow(row.getLong(2), row.getAs(3))));
        rowsOfBin.values().forEach(Collections::sort);
        return rowsOfBin;
    }

    private static Column call(UDF2<Integer, Long, Long> bin) {
        return udf(bin, DataTypes.LongType).apply(col(KeyedRows.STRATUM), col(KeyedRows.AT));
    }

    /** Ascends with the signed order of {@code at}, for shifts above 0. */
    private static long bin(long at, int shift) {
        return (at ^ Long.MIN_VALUE) >>> shift;
    }

    private static Map.Entry<Long, Long> bin(Map<Integer, NavigableMap<Long, Long>> binAtRank, int stratum, long rank) {
        NavigableMap<Long, Long> bins = binAtRank.get(stratum);
        if (bins == null || bins.isEmpty()) {
            throw new IllegalStateException("stratum number " + stratum + " has lost its rows since they were counted");
        }
        return bins.floorEntry(rank);
    }
}
