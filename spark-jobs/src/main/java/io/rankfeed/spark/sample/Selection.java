package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataTypes;

/** Which of a feed's keyed rows are in its pools, and in which file of the plan each is written. */
final class Selection {
    /** Rows of every file of the plan but a feed's last. */
    static final long FILE_ROWS = 1L << 20;

    static final String PLAN_FILE = "plan_file";

    /** A bin should hold about this many rows: enough bins to collect few rows, few enough to count them. */
    private static final int BIN_ROWS = 256;

    /** Bins of all strata that the driver counts at once. */
    private static final long MOST_BINS = 1L << 18;

    /** Bins of the address order: 65,536 neighbouring rows of a file. */
    private static final int ADDRESS_SHIFT = 16;

    private Selection() {}

    /**
     * Of each stratum the rows of least priority, as many as its pool has.
     *
     * @param available rows of each stratum
     */
    static Dataset<Row> bottom(Dataset<Row> byPriority, FeedRows feed, long[] available) {
        Map<Integer, List<Long>> ranks = new HashMap<>();
        boolean all = true;
        for (int s = 0; s < available.length; s++) {
            all &= feed.rows(s) == available[s];
            if (feed.rows(s) > 0 && feed.rows(s) < available[s]) {
                ranks.put(s, List.of(feed.rows(s)));
            }
        }
        if (all) {
            return byPriority;
        }
        RankedRow[] firstExcluded = new RankedRow[available.length];
        new RankSearch(byPriority, priorityShifts(available, ranks.keySet()))
                .at(ranks)
                .forEach((s, rows) -> firstExcluded[s] = rows.get(0));
        UDF3<Integer, Long, byte[], Boolean> chosen = (s, at, key) -> {
            RankedRow excluded = firstExcluded[s];
            return excluded == null ? feed.rows(s) > 0 : excluded.compareTo(at, key) > 0;
        };
        return byPriority.where(udf(chosen, DataTypes.BooleanType)
                .apply(col(KeyedRows.STRATUM), col(KeyedRows.AT), col(KeyedRows.KEY)));
    }

    /** Adds {@link #PLAN_FILE} to rows that are the pools and whose {@link KeyedRows#AT} is the lists' order. */
    static Dataset<Row> withFile(Dataset<Row> pools, FeedRows feed, boolean byAddress) {
        Map<Integer, List<Long>> ranks = new HashMap<>();
        int stratum = 0;
        for (long cut = FILE_ROWS; cut < feed.total(); cut += FILE_ROWS) {
            while (feed.start(stratum) + feed.rows(stratum) <= cut) {
                stratum++;
            }
            long rank = cut - feed.start(stratum);
            if (rank > 0) {
                ranks.computeIfAbsent(stratum, s -> new ArrayList<>()).add(rank);
            }
        }
        long[] rows =
                LongStream.range(0, feed.strata()).map(s -> feed.rows((int) s)).toArray();
        int[] shifts = byAddress ? addressShifts(feed.strata()) : priorityShifts(rows, ranks.keySet());
        HashMap<Integer, RankedRow[]> cuts = new HashMap<>();
        new RankSearch(pools, shifts).at(ranks).forEach((s, at) -> cuts.put(s, at.toArray(RankedRow[]::new)));
        UDF3<Integer, Long, byte[], Integer> file = (s, at, key) -> {
            RankedRow[] inStratum = cuts.get(s);
            int passed = inStratum == null ? 0 : RankedRow.countUpTo(inStratum, at, key);
            return (int) (feed.start(s) / FILE_ROWS) + passed;
        };
        return pools.withColumn(
                PLAN_FILE,
                udf(file, DataTypes.IntegerType).apply(col(KeyedRows.STRATUM), col(KeyedRows.AT), col(KeyedRows.KEY)));
    }

    private static int[] addressShifts(int strata) {
        int[] shifts = new int[strata];
        Arrays.fill(shifts, ADDRESS_SHIFT);
        return shifts;
    }

    /** Priorities are spread evenly: bins of some {@link #BIN_ROWS} rows, or larger ones where these were too many. */
    private static int[] priorityShifts(long[] rows, Set<Integer> wanted) {
        int[] bits = new int[rows.length];
        for (int s = 0; s < rows.length; s++) {
            bits[s] = 63 - Long.numberOfLeadingZeros(Math.max(2, rows[s] / BIN_ROWS));
        }
        int most = 16;
        while (most > 1 && bins(bits, most, wanted) > MOST_BINS) {
            most--;
        }
        int[] shifts = new int[rows.length];
        for (int s = 0; s < rows.length; s++) {
            shifts[s] = Long.SIZE - Math.min(most, bits[s]);
        }
        return shifts;
    }

    private static long bins(int[] bits, int most, Set<Integer> wanted) {
        return wanted.stream().mapToLong(s -> 1L << Math.min(most, bits[s])).sum();
    }
}
