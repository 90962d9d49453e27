package io.rankfeed.feeder.cache;

import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.failure.ConfigException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * A record batch of one column in memory, in which every row has the same value. It is that column of each record batch of a member that
 * lacks the column, so that rows of all members are gathered alike. All positions are offsets in {@code bytes}.
 *
 * @param itemCount items of all rows
 */
record FilledBlock(MemorySegment bytes, long offsets, long itemOffsets, long itemCount, long values, long valuesBytes) {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final int ALIGNMENT_BYTES = 64;

    /**
     * @param row the bytes of the row's elements as one item; of a list its items
     * @param rows of a record batch
     * @throws ConfigException if a record batch of this value is larger than offsets can be
     */
    static FilledBlock of(CacheColumn column, List<byte[]> row, int rows, Arena arena) {
        long bytes = bytes(column, row, rows);
        long values = values(column, row, rows);
        FilledBlock block = new FilledBlock(
                arena.allocate(Math.max(1, bytes), ALIGNMENT_BYTES),
                0,
                itemOffsets(column, rows),
                (long) rows * row.size(),
                values,
                bytes - values);
        block.write(column, row, rows);
        return block;
    }

    /** The memory that {@link #of} allocates. @throws ConfigException as it does */
    static long bytes(CacheColumn column, List<byte[]> row, int rows) {
        long rowBytes = row.stream().mapToLong(item -> item.length).sum();
        if (rowBytes * rows > Integer.MAX_VALUE || (long) rows * row.size() >= Integer.MAX_VALUE) {
            throw new ConfigException("fill of column '" + column.name() + "' has " + rowBytes + " bytes, too many for"
                    + " record batches of " + rows + " rows; use a shorter value");
        }
        return values(column, row, rows) + rowBytes * rows;
    }

    private static long itemOffsets(CacheColumn column, int rows) {
        return column.hasOffsets() ? 4L * (rows + 1) : 0;
    }

    private static long values(CacheColumn column, List<byte[]> row, int rows) {
        return aligned(itemOffsets(column, rows) + 4 * ((long) rows * row.size() + 1));
    }

    private void write(CacheColumn column, List<byte[]> row, int rows) {
        int perRow =
                switch (column.kind()) {
                    case FIXED -> 0;
                    case LIST -> row.size();
                    default -> row.getFirst().length / column.dtype().sizeBytes();
                };
        int at = 0;
        int item = 0;
        for (int i = 0; i < rows; i++) {
            for (byte[] bytesOfItem : row) {
                bytes.set(INT, itemOffsets + 4L * item++, at);
                MemorySegment.copy(bytesOfItem, 0, bytes, ValueLayout.JAVA_BYTE, values + at, bytesOfItem.length);
                at += bytesOfItem.length;
            }
        }
        bytes.set(INT, itemOffsets + 4L * item, at);
        for (int i = 0; column.hasOffsets() && i <= rows; i++) {
            bytes.set(INT, offsets + 4L * i, i * perRow);
        }
    }

    private static long aligned(long bytes) {
        return Math.ceilDiv(bytes, ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    }
}
