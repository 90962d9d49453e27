package io.rankfeed.importing.index;

import io.rankfeed.schema.failure.ConfigException;
import java.util.Arrays;

/** The values of one column of a part, by sample: where their bytes are, or the numbers themselves. */
public sealed interface Values {
    /** The length of a value that a sample does not have. */
    long MISSING = -1;

    long rows();

    /** Whether any sample has no value. */
    boolean hasMissing();

    /** Values whose bytes are in a file. */
    sealed interface Located extends Values {
        /** The offset of a value in its file, in bytes. */
        long offset(long row);

        /** The length of a value in bytes, or {@link #MISSING}. */
        long length(long row);
    }

    /**
     * Values of one length at equal distances: that of row i is at {@code base + i · stride}.
     *
     * @param stride distance and length in bytes
     */
    record Strided(long base, long stride, long rows) implements Located {
        @Override
        public long offset(long row) {
            return base + row * stride;
        }

        @Override
        public long length(long row) {
            return stride;
        }

        @Override
        public boolean hasMissing() {
            return false;
        }
    }

    /** A list of offsets and lengths, to which values are added. */
    final class Ranges implements Located {
        private final Longs offsets = new Longs();
        private final Longs lengths = new Longs();
        private boolean hasMissing;

        public void add(long offset, long lengthBytes) {
            offsets.add(offset);
            lengths.add(lengthBytes);
        }

        public void addMissing() {
            add(0, MISSING);
            hasMissing = true;
        }

        /** Removes the values from this row on. */
        public void cut(long rows) {
            offsets.size = (int) Math.min(offsets.size, rows);
            lengths.size = offsets.size;
        }

        /** Adds the value of a damaged sample, which is never read. */
        public void addDamaged() {
            add(0, 0);
        }

        @Override
        public long offset(long row) {
            return offsets.get(row);
        }

        @Override
        public long length(long row) {
            return lengths.get(row);
        }

        @Override
        public long rows() {
            return lengths.size;
        }

        @Override
        public boolean hasMissing() {
            return hasMissing;
        }
    }

    /** Numbers of at most 8 bytes that the source has in another form. */
    final class Numbers implements Values {
        private final Longs bits = new Longs();
        private final Longs missing = new Longs();

        /** @param value the low bits, as many as the type is wide */
        public void add(long value) {
            bits.add(value);
        }

        public void addMissing() {
            missing.add(bits.size);
            bits.add(0);
        }

        /** Removes the values from this row on. */
        public void cut(long rows) {
            bits.size = (int) Math.min(bits.size, rows);
            while (missing.size > 0 && missing.get(missing.size - 1L) >= rows) {
                missing.size--;
            }
        }

        public long bits(long row) {
            return bits.get(row);
        }

        public boolean isMissing(long row) {
            return Arrays.binarySearch(missing.values, 0, missing.size, row) >= 0;
        }

        @Override
        public long rows() {
            return bits.size;
        }

        @Override
        public boolean hasMissing() {
            return missing.size > 0;
        }
    }

    /** A list that grows with its content. */
    final class Longs {
        private static final int MAX = IndexedPart.MAX_ROWS;

        private long[] values = new long[16];
        private int size;

        private void add(long value) {
            if (size == values.length) {
                if (size == MAX) {
                    throw new ConfigException("a part has more than " + MAX + " samples; divide its files");
                }
                values = Arrays.copyOf(values, (int) Math.min(MAX, 2L * size));
            }
            values[size++] = value;
        }

        private long get(long row) {
            if (row < 0 || row >= size) {
                throw new IndexOutOfBoundsException(row + " of " + size);
            }
            return values[(int) row];
        }
    }
}
