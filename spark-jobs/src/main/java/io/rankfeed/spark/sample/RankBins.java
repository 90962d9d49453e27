package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.shiftrightunsigned;
import static org.apache.spark.sql.functions.sum;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * How many rows of each stratum lie in each bin of their order, so that a row's rank is known up to its bin without any
 * sort: its bin's first rank is the number of rows in the bins before. Travels to the tasks.
 */
final class RankBins implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Name of the column with a row's bin. */
    static final String BIN = "bin";

    /** Name of the column with the number of rows in a bin. */
    static final String COUNT = "count";

    /** Bits of an address that its bin leaves out: bins of 65,536 neighbouring rows of a file. */
    static final int ADDRESS_SHIFT = 16;

    /** Bins of all strata that the driver takes. */
    private static final long MOST_BINS = 1L << 18;

    /** More bins than this would no longer make the rows of a task fewer. */
    private static final int MOST_PRIORITY_BITS = 12;

    /** A bin of a table with one stratum should hold about this many rows: few beside those of a plan's file. */
    private static final int BIN_ROWS = 1 << 14;

    private final int shift;
    /** Of each stratum ascending; none is negative, for each leaves out a bit at least. */
    private final long[][] bins;
    /** One more than bins: the last is the number of the stratum's rows. */
    private final long[][] firstRanks;

    private RankBins(int shift, long[][] bins, long[][] firstRanks) {
        this.shift = shift;
        this.bins = bins;
        this.firstRanks = firstRanks;
    }

    /** How many low bits of a priority its bin leaves out, in a table of so many rows. */
    static int priorityShift(long rows) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(rows / BIN_ROWS);
        return Long.SIZE - Math.min(bits, MOST_PRIORITY_BITS);
    }

    /** The bin of a row in the order of {@link KeyedRows#AT}. */
    static Column bin(Column at, int shift) {
        Column place = at.bitwiseXOR(lit(Long.MIN_VALUE));
        return shift == Long.SIZE ? lit(0L) : shiftrightunsigned(place, shift);
    }

    /** Counts rows with {@link KeyedRows#STRATUM} and {@link KeyedRows#AT}, by a scan. */
    static RankBins scanned(Dataset<Row> keyed, int strata, int shift) {
        Dataset<Row> counts = keyed.groupBy(
                        col(KeyedRows.STRATUM), bin(col(KeyedRows.AT), shift).as(BIN))
                .count();
        return of(counts, strata, shift);
    }

    /**
     * @param counts columns {@link KeyedRows#STRATUM}, {@link #BIN}, {@link #COUNT}; those without a stratum are left out
     * @param shift low bits of the order that a bin leaves out
     */
    static RankBins of(Dataset<Row> counts, int strata, int shift) {
        Dataset<Row> kept = counts.where(col(KeyedRows.STRATUM).isNotNull()).persist();
        try {
            int wider = 0;
            for (long groups = kept.count();
                    groups > MOST_BINS;
                    groups = widened(kept, wider).count()) {
                wider += Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(groups / MOST_BINS) - 1);
            }
            return of(widened(kept, wider).collectAsList(), strata, shift + wider);
        } finally {
            kept.unpersist();
        }
    }

    private static Dataset<Row> widened(Dataset<Row> counts, int bits) {
        Column bin = bits == 0 ? col(BIN) : shiftrightunsigned(col(BIN), bits);
        return counts.groupBy(col(KeyedRows.STRATUM), bin.as(BIN))
                .agg(sum(COUNT).as(COUNT));
    }

    private static RankBins of(List<Row> counts, int strata, int shift) {
        List<List<long[]>> byStratum = new ArrayList<>();
        for (int s = 0; s < strata; s++) {
            byStratum.add(new ArrayList<>());
        }
        counts.forEach(row -> byStratum.get(row.getInt(0)).add(new long[] {row.getLong(1), row.getLong(2)}));
        long[][] bins = new long[strata][];
        long[][] firstRanks = new long[strata][];
        for (int s = 0; s < strata; s++) {
            List<long[]> ofStratum = byStratum.get(s);
            ofStratum.sort(Comparator.comparingLong(bin -> bin[0]));
            bins[s] = ofStratum.stream().mapToLong(bin -> bin[0]).toArray();
            firstRanks[s] = new long[bins[s].length + 1];
            for (int i = 0; i < bins[s].length; i++) {
                firstRanks[s][i + 1] = firstRanks[s][i] + ofStratum.get(i)[1];
            }
        }
        return new RankBins(shift, bins, firstRanks);
    }

    /** Rank of the first row in the bin of a row. */
    long firstRank(int stratum, long at) {
        return firstRanks[stratum][index(stratum, at)];
    }

    /** Rank after that of the last row in the bin of a row. */
    long endRank(int stratum, long at) {
        return firstRanks[stratum][index(stratum, at) + 1];
    }

    private int index(int stratum, long at) {
        long place = at ^ Long.MIN_VALUE;
        long bin = shift >= Long.SIZE ? 0 : place >>> shift;
        int index = Arrays.binarySearch(bins[stratum], bin);
        if (index < 0) {
            throw new IllegalStateException("a row of stratum number " + stratum
                    + " lies where none was counted; the table changed while it was read");
        }
        return index;
    }
}
