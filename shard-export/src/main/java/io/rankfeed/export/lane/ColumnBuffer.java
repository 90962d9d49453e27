package io.rankfeed.export.lane;

import io.rankfeed.schema.cache.BatchBody;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * The values of one column in the batch that is being filled. Grows with its content and is kept from batch to batch.
 *
 * <p>Invariant: {@code offsets[0 .. rows]} counts Arrow items (elements of a ragged value, bytes of a string), never
 * decreases and starts at 0; {@code data[0 .. sizeBytes)} is the rows' values end to end, little-endian.
 */
final class ColumnBuffer {
    /** A whole buffer with its padding must be addressable by an int, as are Arrow's offsets. */
    private static final int MOST_BYTES = Integer.MAX_VALUE - 127;

    private static final byte[] ZEROS = new byte[BatchBody.ALIGNMENT];

    private final CacheColumn column;
    private byte[] data = new byte[1024];
    private int[] offsets = new int[64];
    private int rows;
    private int sizeBytes;
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

    /** Items in the batch: what the child's field node counts. */
    long items() {
        return sizeBytes / column.dtype().sizeBytes();
    }

    /** The most items that any row of any batch had. */
    long maxItems() {
        return maxItems;
    }

    int sizeBytes() {
        return sizeBytes;
    }

    int offsetsBytes() {
        return column.hasOffsets() ? 4 * (rows + 1) : 0;
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

    /** Appends a packed value: little-endian elements, or the bytes of a string or binary. */
    void putBytes(byte[] value, int offset, int lengthBytes) {
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
        sizeBytes = 0;
    }

    /** Writes the non-empty buffers, each padded with zeros to its declared length. */
    void writeTo(OutputStream out) throws IOException {
        if (column.hasOffsets()) {
            byte[] encoded = new byte[(int) BatchBody.padded(offsetsBytes())];
            for (int row = 0; row <= rows; row++) {
                for (int i = 0; i < 4; i++) {
                    encoded[4 * row + i] = (byte) (offsets[row] >>> (8 * i));
                }
            }
            out.write(encoded);
        }
        out.write(data, 0, sizeBytes);
        out.write(ZEROS, 0, (int) (BatchBody.padded(sizeBytes) - sizeBytes));
    }

    private void endValue(int items) {
        rows++;
        if (column.hasOffsets()) {
            if (rows == offsets.length) {
                offsets = Arrays.copyOf(offsets, 2 * offsets.length);
            }
            offsets[rows] = offsets[rows - 1] + items;
            maxItems = Math.max(maxItems, items);
        }
    }

    private void room(int wanted) {
        long least = (long) sizeBytes + wanted;
        if (least > MOST_BYTES) {
            throw new ConfigException("column '" + column.name() + "' would pass 2 GiB in one record batch at its row "
                    + rows + "; set export.batch-rows below that");
        }
        if (least > data.length) {
            data = Arrays.copyOf(data, (int) Math.min(MOST_BYTES, Math.max(least, 2L * data.length)));
        }
    }
}
