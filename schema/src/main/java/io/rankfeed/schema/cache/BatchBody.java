package io.rankfeed.schema.cache;

import io.rankfeed.schema.Field;
import java.util.List;

/**
 * The offsets of the buffers of a record batch in its body: one after the other in the order of the columns, each padded to
 * {@link #ALIGNMENT}. Writer and reader both compute it from the same few numbers, so a file has only one layout.
 */
public final class BatchBody {
    /** The multiple, in bytes, at which every buffer, body and message starts and ends. */
    public static final int ALIGNMENT = 64;

    private final List<CacheColumn> columns;
    private final int rows;
    private final long[] itemCounts;
    private final long[] valueCounts;
    private final long[] offsetsAt;
    private final long[] itemOffsetsAt;
    private final long[] valuesAt;
    private final long[] valuesBytes;
    private final long lengthBytes;

    private BatchBody(List<CacheColumn> columns, int rows, long[] itemCounts, long[] valueCounts) {
        this.columns = columns;
        this.rows = rows;
        this.itemCounts = itemCounts.clone();
        this.valueCounts = valueCounts.clone();
        this.offsetsAt = new long[columns.size()];
        this.itemOffsetsAt = new long[columns.size()];
        this.valuesAt = new long[columns.size()];
        this.valuesBytes = new long[columns.size()];
        long at = 0;
        for (int c = 0; c < valueCounts.length; c++) {
            CacheColumn column = columns.get(c);
            offsetsAt[c] = at;
            if (column.kind() != Field.Kind.FIXED) {
                at += padded(4L * (rows + 1L));
            } else {
                this.valueCounts[c] = (long) rows * column.shape().elements();
            }
            itemOffsetsAt[c] = at;
            if (column.kind() == Field.Kind.LIST) {
                at += padded(4L * (itemCounts[c] + 1L));
            }
            valuesAt[c] = at;
            // Below 2^31 values of at most 8 bytes, or below 2^31 rows of less than 2^31 bytes: no overflow in one
            // column.
            valuesBytes[c] = padded(this.valueCounts[c] * column.dtype().sizeBytes());
            at = Math.addExact(at, valuesBytes[c]);
        }
        this.lengthBytes = at;
    }

    /**
     * @param rows rows of the batch
     * @param itemCounts per column: LIST the items of all rows together; others ignored
     * @param valueCounts per column: RAGGED the elements of all rows together, BYTES and LIST the bytes; FIXED ignored
     * @throws IllegalArgumentException if a count cannot be addressed by int32 offsets
     */
    public static BatchBody of(List<CacheColumn> columns, int rows, long[] itemCounts, long[] valueCounts) {
        if (rows < 1 || valueCounts.length != columns.size() || itemCounts.length != columns.size()) {
            throw new IllegalArgumentException(rows + " rows, " + valueCounts.length + " counts");
        }
        for (int c = 0; c < valueCounts.length; c++) {
            CacheColumn column = columns.get(c);
            if (column.kind() != Field.Kind.FIXED) {
                requireAddressable(column, valueCounts[c], "values");
            }
            if (column.kind() == Field.Kind.LIST) {
                requireAddressable(column, itemCounts[c], "items");
            }
        }
        return new BatchBody(columns, rows, itemCounts, valueCounts);
    }

    private static void requireAddressable(CacheColumn column, long count, String what) {
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "column '" + column.name() + "' has " + count + " " + what + " in one batch; at most 2^31 - 1");
        }
    }

    /** The next multiple of {@link #ALIGNMENT}. */
    public static long padded(long lengthBytes) {
        return (lengthBytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    public List<CacheColumn> columns() {
        return columns;
    }

    public int rows() {
        return rows;
    }

    /** Bytes of the whole body, a multiple of {@link #ALIGNMENT}. */
    public long lengthBytes() {
        return lengthBytes;
    }

    /** The offset in the body of a column's int32 offsets (rows + 1 of them), in bytes; FIXED has none. */
    public long offsetsAt(int column) {
        return offsetsAt[column];
    }

    /** Declared length of a column's offsets; 0 for FIXED. */
    public long offsetsBytes(int column) {
        return itemOffsetsAt[column] - offsetsAt[column];
    }

    /** The offset in the body of a column's int32 item offsets (items + 1 of them), in bytes; only LIST has any. */
    public long itemOffsetsAt(int column) {
        return itemOffsetsAt[column];
    }

    /** Items of a LIST column. */
    public long itemCount(int column) {
        return itemCounts[column];
    }

    /** The offset in the body of a column's values, in bytes. */
    public long valuesAt(int column) {
        return valuesAt[column];
    }

    /** Declared length of a column's values. */
    public long valuesBytes(int column) {
        return valuesBytes[column];
    }

    /** Elements (numeric) or bytes (string, binary, lists of them) of a column's values. */
    public long valueCount(int column) {
        return valueCounts[column];
    }

    /**
     * The Arrow nodes and buffers, in Arrow's order.
     *
     * @param nodes gets {length} of every node
     * @param buffers gets {offset in the body, declared length} of every buffer
     */
    void listParts(List<long[]> nodes, List<long[]> buffers) {
        for (int c = 0; c < columns.size(); c++) {
            CacheColumn column = columns.get(c);
            nodes.add(new long[] {rows});
            buffers.add(new long[] {offsetsAt[c], 0});
            if (column.kind() != Field.Kind.FIXED) {
                buffers.add(new long[] {offsetsAt[c], offsetsBytes(c)});
            }
            if (column.kind() == Field.Kind.LIST) {
                nodes.add(new long[] {itemCounts[c]});
                buffers.add(new long[] {itemOffsetsAt[c], 0});
                buffers.add(new long[] {itemOffsetsAt[c], valuesAt[c] - itemOffsetsAt[c]});
            } else if (!column.isScalar()) {
                nodes.add(new long[] {valueCounts[c]});
                buffers.add(new long[] {valuesAt[c], 0});
            }
            buffers.add(new long[] {valuesAt[c], valuesBytes[c]});
        }
    }
}
