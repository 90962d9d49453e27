package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private static final int MAX_BIN_BITS = 16;
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
        int[] shifts = new int[available.length];
        boolean all = true;
        for (int s = 0; s < available.length; s++) {
            int bits = 63 - Long.numberOfLeadingZeros(Math.max(2, available[s] / BIN_ROWS));
            shifts[s] = 64 - Math.min(MAX_BIN_BITS, bits);
            all &= feed.rows(s) == available[s];
            if (feed.rows(s) > 0 && feed.rows(s) < available[s]) {
                ranks.put(s, List.of(feed.rows(s)));
            }
        }
        if (all) {
            return byPriority;
        }
        RankedRow[] firstExcluded = new RankedRow[available.length];
        new RankSearch(byPriority, shifts).at(ranks).forEach((s, rows) -> firstExcluded[s] = rows.get(0));
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
        int[] shifts = new int[feed.strata()];
        Arrays.fill(shifts, byAddress ? ADDRESS_SHIFT : 64 - MAX_BIN_BITS);
        HashMap<Integer, ArrayList<RankedRow>> cuts = new HashMap<>();
        new RankSearch(pools, shifts).at(ranks).forEach((s, rows) -> cuts.put(s, new ArrayList<>(rows)));
        UDF3<Integer, Long, byte[], Integer> file = (s, at, key) -> {
            int number = (int) (feed.start(s) / FILE_ROWS);
            for (RankedRow cut : cuts.getOrDefault(s, new ArrayList<>())) {
                if (cut.compareTo(at, key) > 0) {
                    break;
                }
                number++;
            }
            return number;
        };
        return pools.withColumn(
                PLAN_FILE,
                udf(file, DataTypes.IntegerType).apply(col(KeyedRows.STRATUM), col(KeyedRows.AT), col(KeyedRows.KEY)));
    }
}
