package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;

/**
 * Finds the rows at given ranks of their stratum's order without sorting it: a scan counts rows in bins of the order,
 * further ones cut the bins in which a wanted rank lies into smaller ones until few rows are left, and the last one
 * collects these. Exact, and the same for every partitioning.
 */
final class RankSearch {
    /** Rows that the driver takes: some 100 bytes each. */
    private static final long MOST_COLLECTED = 1L << 17;

    /** Bits by which bins are cut smaller. */
    private static final int REFINED_BITS = 8;

    private static final int ALL_BITS = 64;

    private record BinOf(int stratum, long bin) {}

    private final Dataset<Row> keyed;
    private final int[] firstShifts;
    private final long mostCollected;

    /**
     * @param keyed columns {@link KeyedRows#STRATUM}, {@link KeyedRows#AT}, {@link KeyedRows#KEY}
     * @param firstShifts per stratum how many low bits of the order a bin of the first scan spans
     */
    RankSearch(Dataset<Row> keyed, int[] firstShifts) {
        this(keyed, firstShifts, MOST_COLLECTED);
    }

    RankSearch(Dataset<Row> keyed, int[] firstShifts, long mostCollected) {
        this.keyed = keyed;
        this.firstShifts = firstShifts.clone();
        this.mostCollected = mostCollected;
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
        Level level = new Level(filled(ALL_BITS), new HashMap<>());
        ranks.keySet().forEach(stratum -> level.add(stratum, 0, 0));
        Level wanted = refined(level, firstShifts, ranks);
        while (wanted.rows > mostCollected && wanted.canBeRefined()) {
            wanted = refined(wanted, wanted.nextShifts(), ranks);
        }
        Map<BinOf, List<RankedRow>> rowsOfBin = rowsOfBin(wanted);
        Map<Integer, List<RankedRow>> found = new HashMap<>();
        for (Map.Entry<Integer, List<Long>> entry : ranks.entrySet()) {
            NavigableMap<Long, Long> bins = byRank(wanted, entry.getKey());
            List<RankedRow> rows = new ArrayList<>();
            for (long rank : entry.getValue()) {
                Map.Entry<Long, Long> bin = bins.floorEntry(rank);
                List<RankedRow> there = rowsOfBin.getOrDefault(new BinOf(entry.getKey(), bin.getValue()), List.of());
                if (rank - bin.getKey() >= there.size()) {
                    throw lost(entry.getKey());
                }
                rows.add(there.get((int) (rank - bin.getKey())));
            }
            found.put(entry.getKey(), rows);
        }
        return found;
    }

    /** The bins of a level in which wanted ranks lie, by stratum and number, each with the rank of its first row. */
    private static final class Level {
        final int[] shifts;
        final Map<Integer, Map<Long, Long>> firstRanks;
        long rows;

        Level(int[] shifts, Map<Integer, Map<Long, Long>> firstRanks) {
            this.shifts = shifts;
            this.firstRanks = firstRanks;
        }

        void add(int stratum, long bin, long firstRank) {
            firstRanks.computeIfAbsent(stratum, s -> new HashMap<>()).put(bin, firstRank);
        }

        Map<Long, Long> of(int stratum) {
            return Objects.requireNonNull(firstRanks.get(stratum));
        }

        boolean canBeRefined() {
            return firstRanks.keySet().stream().anyMatch(stratum -> shifts[stratum] > 0);
        }

        int[] nextShifts() {
            int[] next = shifts.clone();
            for (int s = 0; s < next.length; s++) {
                next[s] = Math.max(0, next[s] - REFINED_BITS);
            }
            return next;
        }
    }

    /** Cuts a level's bins smaller, and keeps those in which a wanted rank lies. */
    private Level refined(Level level, int[] shifts, Map<Integer, List<Long>> ranks) {
        // By stratum and bin of the level the rows of the smaller bins, ascending.
        Map<BinOf, NavigableMap<Long, Long>> histograms = new HashMap<>();
        inBins(level, shifts)
                .groupBy(KeyedRows.STRATUM, "bin")
                .count()
                .collectAsList()
                .forEach(row -> {
                    int stratum = row.getInt(0);
                    long parent = bin(row.getLong(1), level.shifts[stratum] - shifts[stratum]);
                    histograms
                            .computeIfAbsent(new BinOf(stratum, parent), b -> new TreeMap<>(Long::compareUnsigned))
                            .put(row.getLong(1), row.getLong(2));
                });
        Level refined = new Level(shifts, new HashMap<>());
        histograms.forEach((parent, histogram) -> {
            List<Long> wanted = ranks.getOrDefault(parent.stratum(), List.of());
            long first = Objects.requireNonNull(level.of(parent.stratum()).get(parent.bin()));
            for (Map.Entry<Long, Long> entry : histogram.entrySet()) {
                long rows = entry.getValue();
                if (hasAny(wanted, first, first + rows)) {
                    refined.add(parent.stratum(), entry.getKey(), first);
                    refined.rows += rows;
                }
                first += rows;
            }
        });
        for (int stratum : ranks.keySet()) {
            if (!refined.firstRanks.containsKey(stratum)) {
                throw lost(stratum);
            }
        }
        return refined;
    }

    /** Whether one of ascending numbers is at least {@code from} and below {@code to}. */
    private static boolean hasAny(List<Long> ascending, long from, long to) {
        int at = Collections.binarySearch(ascending, from);
        int next = at < 0 ? -at - 1 : at;
        return next < ascending.size() && ascending.get(next) < to;
    }

    private static NavigableMap<Long, Long> byRank(Level level, int stratum) {
        NavigableMap<Long, Long> byRank = new TreeMap<>();
        level.of(stratum).forEach((bin, firstRank) -> byRank.put(firstRank, bin));
        return byRank;
    }

    private Map<BinOf, List<RankedRow>> rowsOfBin(Level level) {
        Map<BinOf, List<RankedRow>> rowsOfBin = new HashMap<>();
        inBins(level, level.shifts).collectAsList().forEach(row -> rowsOfBin
                .computeIfAbsent(new BinOf(row.getInt(0), row.getLong(1)), b -> new ArrayList<>())
                .add(new RankedRow(row.getLong(2), row.getAs(3))));
        rowsOfBin.values().forEach(Collections::sort);
        return rowsOfBin;
    }

    /** The rows in a level's bins, with the number of the bin of other shifts in which each lies. */
    private Dataset<Row> inBins(Level level, int[] shifts) {
        Map<Integer, Map<Long, Long>> bins = level.firstRanks;
        int[] levelShifts = level.shifts;
        UDF2<Integer, Long, Long> bin = (stratum, at) -> {
            Map<Long, Long> wanted = bins.get(stratum);
            // Ascends, unsigned, with the signed order of at.
            long place = at ^ Long.MIN_VALUE;
            return wanted != null && wanted.containsKey(bin(place, levelShifts[stratum]))
                    ? bin(place, shifts[stratum])
                    : null;
        };
        Column number = udf(bin, DataTypes.LongType).apply(col(KeyedRows.STRATUM), col(KeyedRows.AT));
        return keyed.select(col(KeyedRows.STRATUM), number.as("bin"), col(KeyedRows.AT), col(KeyedRows.KEY))
                .where(col("bin").isNotNull());
    }

    private static long bin(long place, int shift) {
        return shift == ALL_BITS ? 0 : place >>> shift;
    }

    private int[] filled(int shift) {
        int[] shifts = new int[firstShifts.length];
        Arrays.fill(shifts, shift);
        return shifts;
    }

    private static IllegalStateException lost(int stratum) {
        return new IllegalStateException(
                "stratum number " + stratum + " has lost rows since they were counted; was the table rewritten?");
    }
}
