package io.rankfeed.spark.prepare.query;

import io.rankfeed.export.parquet.FileRowGroup;
import io.rankfeed.job.PrepareSection;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.prepare.pack.SourceIndex;
import io.rankfeed.spark.prepare.pack.Units;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/** Computes the number of a table's units: a function of the inputs and the job, nothing else. */
public final class UnitPlanner {
    /** Blocks in a unit of a large table: what is merged of its tail is 1 in 40 then. */
    private static final long BLOCKS_IN_ORDER = 20;

    /** Blocks of input to a unit of rows that come by the hash of a key. */
    private static final long BLOCKS_BY_HASH = 16;

    private UnitPlanner() {}

    static Units.Hashes hashes(long inputBytes, PrepareSection section) {
        double blocks = (double) inputBytes / section.block().bytes();
        long units = Math.max((long) (blocks / BLOCKS_BY_HASH) + 1, asManyAsBlocks(blocks));
        return new Units.Hashes((int) Math.min(units, Units.MAX_UNITS));
    }

    /** The number of rows from each source file, and 1 + the index of the last of them. */
    static final class Counts {
        private final long[] rows;
        private final long[] span;
        private final String[] paths;

        private Counts(int sources) {
            this.rows = new long[sources];
            this.span = new long[sources];
            this.paths = new String[sources];
            Arrays.fill(paths, "");
        }

        long total() {
            long total = 0;
            for (long count : rows) {
                total += count;
            }
            return total;
        }

        Units.Ranges units(long count) {
            return Units.Ranges.even((int) Math.max(1, Math.min(count, Units.MAX_UNITS)), rows, span);
        }

        /** The first file that has rows; -1 if none has. */
        int first() {
            return IntStream.range(0, rows.length)
                    .filter(source -> rows[source] > 0)
                    .findFirst()
                    .orElse(-1);
        }

        /** The path of the first file that has rows, as the addresses of its rows have it; empty if none has. */
        String firstPath() {
            return first() < 0 ? "" : paths[first()];
        }
    }

    /** Counts the rows of a query that gives every row of its files. */
    static Counts counts(List<List<FileRowGroup>> files) {
        Counts counts = new Counts(files.size());
        for (int source = 0; source < files.size(); source++) {
            for (FileRowGroup group : files.get(source)) {
                counts.rows[source] += group.rows();
            }
            counts.span[source] = counts.rows[source];
        }
        return counts;
    }

    static Counts counts(Dataset<Row> rows, SourceIndex places) {
        Counts counts = new Counts(places.names().size());
        List<Row> files = rows.groupBy(RowAddress.FILE)
                .agg(functions.count(functions.lit(1)), functions.max(RowAddress.ROW))
                .collectAsList();
        for (Row file : files) {
            int source = places.source(file.getString(0));
            counts.paths[source] = file.getString(0);
            counts.rows[source] += file.getLong(1);
            counts.span[source] = Math.max(counts.span[source], file.getLong(2) + 1);
        }
        return counts;
    }

    /** Returns the number of units for a table of few blocks: enough for many cores, but with few tails to merge afterwards. */
    private static long asManyAsBlocks(double blocks) {
        return (long) Math.sqrt(blocks);
    }

    /** The units of a table that keeps its source's order, from the size of its first rows once encoded. */
    static Units.Ranges ranges(
            Counts counts, SizeSample head, PrepareSection section, List<List<FileRowGroup>> groups) {
        double blocks = head.bytesPerRow() * counts.total() / section.block().bytes();
        long least = Math.round(blocks / BLOCKS_IN_ORDER);
        // Clustered rows stay with their unit to the last, so that units must not be short.
        boolean merged = section.clusterBy().isEmpty();
        Units.Ranges even = counts.units(merged ? Math.max(least, asManyAsBlocks(blocks)) : least);
        return groups.isEmpty() ? even : aligned(even, groups, least);
    }

    /**
     * Units that begin where row groups of the source begin, so that each is read for one unit alone. Where row groups are
     * so large that fewer than a quarter of the units that are needed would be left, the units stay as they are: a shuffle
     * costs as much as all the rest, and few tasks keep few cores busy.
     */
    public static Units.Ranges aligned(Units.Ranges even, List<List<FileRowGroup>> groups, long least) {
        Units.Ranges aligned = even.alignedTo(groups);
        return 4L * aligned.count() >= least ? aligned : even;
    }
}
