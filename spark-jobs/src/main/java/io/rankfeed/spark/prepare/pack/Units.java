package io.rankfeed.spark.prepare.pack;

import io.rankfeed.export.parquet.FileRowGroup;
import io.rankfeed.spark.file.FileRow;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Maps a row to a unit of work and to its position in the unit. Units depend on the input alone, never on cores or
 * partitions, so that every retry and every cluster writes the same files.
 */
public sealed interface Units extends Serializable permits Units.Ranges, Units.Hashes {
    int MAX_UNITS = 4096;

    int count();

    int unit(long rowId, int source, long sourceRow);

    /** The position of the row in its unit; rows with the same position are ordered by their key. */
    long major(long rowId, int source, long sourceRow);

    /**
     * Ranges of the hashed key: unit = ⌊unsigned row id · count / 2^64⌋, rows by row id, then key.
     *
     * @param count 1 to {@link #MAX_UNITS}
     */
    record Hashes(int count) implements Units {
        @Override
        public int unit(long rowId, int source, long sourceRow) {
            // Unsigned high half of the product; Math.unsignedMultiplyHigh is newer than Java 17.
            long high = Math.multiplyHigh(rowId, count);
            return (int) (high + ((rowId >> 63) & count));
        }

        @Override
        public long major(long rowId, int source, long sourceRow) {
            return rowId ^ Long.MIN_VALUE;
        }
    }

    /** Runs of the source's rows, in order of file and row. */
    final class Ranges implements Units {
        private static final long serialVersionUID = 1L;

        private final long[] starts;

        /** @param starts the place of each unit's first row, from 0, ascending; at most {@link #MAX_UNITS} */
        Ranges(long... starts) {
            this.starts = starts.clone();
        }

        /**
         * Units of about as many rows.
         *
         * @param count 1 to {@link #MAX_UNITS}
         * @param rows by source: how many rows it has
         * @param span by source: 1 + its last row's index
         */
        public static Ranges even(int count, long[] rows, long[] span) {
            long total = LongStream.of(rows).sum();
            TreeSet<Long> starts = new TreeSet<>(List.of(0L));
            int source = 0;
            long before = 0;
            for (int unit = 1; unit < count && total > 0; unit++) {
                long first = total / count * unit + total % count * unit / count;
                while (first >= before + rows[source]) {
                    before += rows[source++];
                }
                // Where a condition leaves gaps, rows are taken to be evenly: only balance depends on it, not order.
                double part = (double) (first - before) / rows[source];
                starts.add(FileRow.of(source, (long) Math.ceil(part * span[source])));
            }
            return new Ranges(starts.stream().mapToLong(start -> start).toArray());
        }

        /** Returns ranges that begin at the nearest row group of the source; perhaps fewer. */
        public Ranges alignedTo(List<List<FileRowGroup>> groups) {
            TreeSet<Long> aligned = new TreeSet<>();
            for (long start : starts) {
                int source = FileRow.file(start);
                long row = FileRow.row(start);
                long nearest = start;
                for (FileRowGroup group : groups.get(source)) {
                    long end = group.firstRow() + group.rows();
                    if (row >= group.firstRow() && row < end) {
                        boolean last = end == rows(groups.get(source));
                        boolean before = row - group.firstRow() <= end - row;
                        nearest = before
                                ? FileRow.of(source, group.firstRow())
                                : last ? FileRow.of(source + 1, 0) : FileRow.of(source, end);
                    }
                }
                aligned.add(nearest);
            }
            // Behind the last row no unit begins.
            aligned.remove(FileRow.of(groups.size(), 0));
            aligned.add(0L);
            return new Ranges(aligned.stream().mapToLong(start -> start).toArray());
        }

        private static long rows(List<FileRowGroup> groups) {
            FileRowGroup last = groups.get(groups.size() - 1);
            return last.firstRow() + last.rows();
        }

        @Override
        public int count() {
            return starts.length;
        }

        /** The place of a unit's first row, or of where it would be. */
        public long from(int unit) {
            return starts[unit];
        }

        /** The place behind its last row. */
        public long to(int unit) {
            return unit + 1 < starts.length ? starts[unit + 1] : Long.MAX_VALUE;
        }

        @Override
        public int unit(long rowId, int source, long sourceRow) {
            if (source < 0 || starts.length == 1) {
                return 0;
            }
            int found = Arrays.binarySearch(starts, FileRow.of(source, sourceRow));
            return found >= 0 ? found : -found - 2;
        }

        @Override
        public long major(long rowId, int source, long sourceRow) {
            return FileRow.of(source, sourceRow);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Ranges ranges && Arrays.equals(starts, ranges.starts);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(starts);
        }
    }
}
