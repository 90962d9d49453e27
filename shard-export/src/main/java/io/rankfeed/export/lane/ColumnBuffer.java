package io.rankfeed.export.lane;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.cache.BatchBody;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The values of one column in the batch that is being filled. Grows with its content and is kept from batch to batch.
 *
 * <p>Invariant: {@code offsets[0 .. rows]} counts Arrow items (elements of a ragged value, bytes of a string, items of a
 * list), never decreases and starts at 0; {@code itemOffsets[0 .. items]} does the same for the bytes of a list's items;
 * {@code data[0 .. sizeBytes)} is the rows' values end to end, little-endian.
 */
final class ColumnBuffer {
    /** A whole buffer with its padding must be addressable by an int, as are Arrow's offsets. */
    private static final int MAX_BYTES = Integer.MAX_VALUE - 127;

    private static final byte[] ZEROS = new byte[BatchBody.ALIGNMENT];

    private final CacheColumn column;
    private byte[] data = new byte[1024];
    private int[] offsets = new int[64];
    private int[] itemOffsets = new int[64];
    private int rows;
    private int items;
    private int sizeBytes;
    private long maxLength;
    private long maxItems;

    ColumnBuffer(CacheColumn column) {
        this.column = column;
    }

    CacheColumn column() {
        return column;
    }

    int rows() {
        return rows;
    }

    /** Elements or bytes in the batch. */
    long values() {
        return sizeBytes / column.dtype().sizeBytes();
    }

    /** Items of lists in the batch. */
    long items() {
        return items;
    }

    /** The most elements or bytes that any row of any batch had. */
    long maxLength() {
        return maxLength;
    }

    /** The most items that a list of any batch had. */
    long maxItems() {
        return maxItems;
    }

    /** Appends a scalar: the low bits of {@code bits}, as many as the type is wide. */
    void putBits(long bits) {
        if (column.dtype().isBytes() || column.shape().rank() > 0) {
            throw new IllegalArgumentException("column '" + column.name() + "' holds no scalars");
        }
        int width = column.dtype().sizeBytes();
        room(width);
        for (int i = 0; i < width; i++) {
            data[sizeBytes++] = (byte) (bits >>> (8 * i));
        }
        endValue(1);
    }

    /** Appends a packed value: little-endian elements, the bytes of a string or binary, or a {@link PackedList}. */
    void putBytes(byte[] value, int offset, int lengthBytes) {
        if (column.kind() == Field.Kind.LIST) {
            putList(new PackedList(value, offset, lengthBytes));
            return;
        }
        int stride = column.strideBytes();
        if (column.hasOffsets() ? lengthBytes % stride != 0 : lengthBytes != stride) {
            throw new CorruptDataException(
                    "column '" + column.name() + "'",
                    "a value of " + lengthBytes + " bytes is not a valid "
                            + column.dtype().id() + " " + column.shape()
                            + (column.hasOffsets() ? ": not a multiple of " : ": not ") + stride + " bytes");
        }
        room(lengthBytes);
        System.arraycopy(value, offset, data, sizeBytes, lengthBytes);
        sizeBytes += lengthBytes;
        endValue(lengthBytes / column.dtype().sizeBytes());
    }

    private void putList(PackedList list) {
        room(list.valuesBytes());
        System.arraycopy(list.array(), list.valuesOffset(), data, sizeBytes, list.valuesBytes());
        sizeBytes += list.valuesBytes();
        while (itemOffsets.length <= items + list.count()) {
            itemOffsets = Arrays.copyOf(itemOffsets, Math.multiplyExact(2, itemOffsets.length));
        }
        for (int i = 0; i < list.count(); i++) {
            itemOffsets[items + 1] = itemOffsets[items] + list.itemLength(i);
            items++;
        }
        maxItems = Math.max(maxItems, list.count());
        endValue(list.count(), list.valuesBytes());
    }

    /** Appends what stands for no value: zeros of a fixed shape, otherwise nothing. */
    void putMissing() {
        if (!column.hasOffsets()) {
            int stride = column.strideBytes();
            room(stride);
            Arrays.fill(data, sizeBytes, sizeBytes + stride, (byte) 0);
            sizeBytes += stride;
        }
        endValue(0);
    }

    void clear() {
        rows = 0;
        items = 0;
        sizeBytes = 0;
    }

    /** Writes the non-empty buffers, each padded with zeros to its declared length. */
    void writeTo(OutputStream out) throws IOException {
        if (column.hasOffsets()) {
            writeOffsets(offsets, rows, out);
        }
        if (column.kind() == Field.Kind.LIST) {
            writeOffsets(itemOffsets, items, out);
        }
        out.write(data, 0, sizeBytes);
        out.write(ZEROS, 0, (int) (BatchBody.padded(sizeBytes) - sizeBytes));
    }

    private static void writeOffsets(int[] offsets, int count, OutputStream out) throws IOException {
        ByteBuffer encoded =
                ByteBuffer.allocate((int) BatchBody.padded(4L * (count + 1L))).order(ByteOrder.LITTLE_ENDIAN);
        encoded.asIntBuffer().put(offsets, 0, count + 1);
        out.write(encoded.array());
    }

    private void endValue(int length) {
        endValue(length, length);
    }

    /** @param step from the row's offset to the next */
    private void endValue(int step, int length) {
        rows++;
        if (column.hasOffsets()) {
            if (rows == offsets.length) {
                offsets = Arrays.copyOf(offsets, 2 * offsets.length);
            }
            offsets[rows] = offsets[rows - 1] + step;
            maxLength = Math.max(maxLength, length);
        }
    }

    private void room(int wanted) {
        long needed = (long) sizeBytes + wanted;
        if (needed > MAX_BYTES) {
            throw new ConfigException("column '" + column.name() + "' would pass 2 GiB in one record batch at its row "
                    + rows + "; set export.batch-rows below that");
        }
        if (needed > data.length) {
            data = Arrays.copyOf(data, (int) Math.min(MAX_BYTES, Math.max(needed, 2L * data.length)));
        }
    }
}
