package io.rankfeed.spark.prepare;

import java.io.Serializable;

/**
 * Which unit of work a row belongs to, and its place in it. Units follow from the input alone, never from cores or
 * partitions, so that every retry and every cluster writes the same files.
 */
sealed interface Units extends Serializable permits Units.Ranges, Units.Hashes {
    int MAX_UNITS = 4096;

    int ROW_BITS = 40;

    int count();

    int unit(long rowId, int source, long sourceRow);

    /** Its place in the unit; rows of an equal one go by their key. */
    long major(long rowId, int source, long sourceRow);

    /** True if rows keep the order of their source, so that a unit's last rows must stay behind it. */
    boolean keepsOrder();

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

        @Override
        public boolean keepsOrder() {
            return false;
        }
    }

    /** Runs of the source's rows, in order of file and row. */
    final class Ranges implements Units {
        private static final long serialVersionUID = 1L;

        private final int count;
        private final long total;
        private final long[] before;
        private final long[] rows;
        private final long[] span;

        /**
         * @param count 1 to {@link #MAX_UNITS}
         * @param rows by source: how many rows it has
         * @param span by source: 1 + its last row's index
         */
        Ranges(int count, long[] rows, long[] span) {
            this.count = count;
            this.rows = rows.clone();
            this.span = span.clone();
            this.before = new long[rows.length];
            long sum = 0;
            for (int i = 0; i < rows.length; i++) {
                before[i] = sum;
                sum += rows[i];
            }
            this.total = sum;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public int unit(long rowId, int source, long sourceRow) {
            if (source < 0 || total == 0) {
                return 0;
            }
            // Where a condition leaves gaps, rows are taken to lie evenly: only balance depends on it, not order.
            long within = span[source] == 0 ? 0 : (long) ((double) sourceRow / span[source] * rows[source]);
            long place = before[source] + Math.min(within, Math.max(rows[source] - 1, 0));
            return (int) Math.min(place * count / total, count - 1L);
        }

        @Override
        public long major(long rowId, int source, long sourceRow) {
            // Files of 2^40 rows, and 2^23 of them, are out of reach.
            return ((long) source << ROW_BITS) + sourceRow;
        }

        @Override
        public boolean keepsOrder() {
            return true;
        }
    }
}
