package io.rankfeed.spark.sample.strata;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.shiftrightunsigned;

import io.rankfeed.spark.sample.table.KeyedRows;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The number of rows of each stratum in each bin of their order. A row's rank is known up to its bin without a sort:
 * the bin's first rank is the number of rows in the bins before. Serialized to the tasks.
 */
public final class RankBins implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Name of the column with a row's bin. */
    static final String BIN = "bin";

    /** Name of the column with the number of rows in a bin. */
    static final String COUNT = "count";

    /** Bits of an address that its bin leaves out: bins of 65,536 neighboring rows of a file. */
    public static final int ADDRESS_SHIFT = 16;

    /** The maximum number of bits that number a bin; more bins would not reduce the rows of a task. */
    private static final int MAX_PRIORITY_BITS = 12;

    /** A bin of a table with one stratum should hold about this many rows: few in addition to those of a plan's file. */
    private static final int BIN_ROWS = 1 << 16;

    private final int shift;
    /** The bins of each stratum, ascending; none is negative, because a bin omits at least one bit. */
    private final long[][] bins;
    /** The rank of the first row of each bin of each stratum, and last the number of the stratum's rows. */
    private final long[][] firstRanks;

    private RankBins(int shift, long[][] bins, long[][] firstRanks) {
        this.shift = shift;
        this.bins = bins;
        this.firstRanks = firstRanks;
    }

    /** The number of low bits of a priority that its bin omits, for a table with this number of rows. */
    public static int priorityShift(long rows) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(rows / BIN_ROWS);
        return Long.SIZE - Math.min(bits, MAX_PRIORITY_BITS);
    }

    /** The bin of a row in the order of {@link KeyedRows#AT}. */
    public static Column bin(Column at, int shift) {
        Column position = at.bitwiseXOR(lit(Long.MIN_VALUE));
        return shift == Long.SIZE ? lit(0L) : shiftrightunsigned(position, shift);
    }

    /** Counts rows with {@link KeyedRows#STRATUM} and {@link KeyedRows#AT}, by a scan. */
    public static RankBins scanned(Dataset<Row> keyed, int strata, int shift) {
        Dataset<Row> counts = keyed.groupBy(
                        col(KeyedRows.STRATUM), bin(col(KeyedRows.AT), shift).as(BIN))
                .count();
        return of(BinCounts.of(counts, shift), strata, line -> line.getInt(0));
    }

    /** @param stratum of a line of the counts; negative for those that are left out */
    public static RankBins of(BinCounts counts, int strata, ToIntFunction<Row> stratum) {
        List<TreeMap<Long, Long>> rows =
                Stream.generate(TreeMap<Long, Long>::new).limit(strata).toList();
        counts.lines().forEach(line -> {
            int number = stratum.applyAsInt(line);
            if (number >= 0) {
                rows.get(number).merge(BinCounts.bin(line), BinCounts.rows(line), Long::sum);
            }
        });
        long[][] bins = new long[strata][];
        long[][] firstRanks = new long[strata][];
        for (int s = 0; s < strata; s++) {
            bins[s] = rows.get(s).keySet().stream().mapToLong(bin -> bin).toArray();
            firstRanks[s] = new long[bins[s].length + 1];
            int bin = 0;
            for (long count : rows.get(s).values()) {
                firstRanks[s][bin + 1] = firstRanks[s][bin] + count;
                bin++;
            }
        }
        return new RankBins(counts.shift(), bins, firstRanks);
    }

    /** Rank of the first row in the bin of a row. */
    public long firstRank(int stratum, long at) {
        return firstRanks[stratum][index(stratum, at)];
    }

    /** Rank after that of the last row in the bin of a row. */
    public long endRank(int stratum, long at) {
        return firstRanks[stratum][index(stratum, at) + 1];
    }

    /** The bits of a row's position that its bin leaves out, as many of the upper ones as are asked for. */
    public long withinBin(long at, int bits) {
        return (at ^ Long.MIN_VALUE) << (Long.SIZE - shift) >>> (Long.SIZE - bits);
    }

    private int index(int stratum, long at) {
        long position = at ^ Long.MIN_VALUE;
        long bin = shift >= Long.SIZE ? 0 : position >>> shift;
        // Almost all strata have a row in each bin of the priorities.
        long[] known = bins[stratum];
        int index = bin < known.length && known[(int) bin] == bin ? (int) bin : Arrays.binarySearch(known, bin);
        if (index < 0) {
            throw new IllegalStateException("a row of stratum number " + stratum
                    + " is outside of the counted bins; the table changed while it was read");
        }
        return index;
    }
}
