package io.rankfeed.feeder.tensor;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;

/** Allocates the bytes of a slot, tensor after tensor; each part begins at a multiple of 64. */
final class SlotLayout {
    private static final long MAX_BYTES = 1L << 62;

    private long bytes;

    /** The number of bytes allocated so far. */
    long bytes() {
        return bytes;
    }

    TensorSpec allocate(String name, DType dtype, Layout layout, List<Integer> innerDims, int maxLength, int rows) {
        long stride = dtype.sizeBytes();
        for (int dim : innerDims) {
            stride *= dim;
        }
        long steps =
                switch (layout) {
                    case FIXED -> rows;
                    case PADDED, DENSE -> (long) rows * Math.max(maxLength, 1);
                    case RAGGED, FLAT -> (long) rows * maxLength;
                    case LIST, STACKED, BOUNDS -> throw new IllegalArgumentException(name + " has items");
                };
        if (steps > MAX_BYTES / stride) {
            throw new ConfigException("column '" + name + "': " + rows + " rows of " + maxLength + " elements of "
                    + stride + " bytes pass 2^62 bytes; cut the values in the job, or the batch");
        }
        long values = take(name, steps * stride);
        long sideBytes =
                switch (layout) {
                    case FIXED, DENSE, FLAT -> 0;
                    case PADDED -> 4L * rows;
                    default -> 8L * (rows + 1L);
                };
        long side = sideBytes == 0 ? 0 : take(name, sideBytes);
        return new TensorSpec(name, dtype, layout, innerDims, maxLength, values, steps * stride, side, sideBytes);
    }

    /**
     * Allocates a tensor of the bounds of sequences, int32 [sequences + 1].
     *
     * @param maxSequences maximum number of sequences of a batch
     * @param longest maximum number of tokens of a sequence
     */
    TensorSpec allocateBounds(String name, long maxSequences, int longest) {
        requireItems(name, maxSequences, 4, 1);
        long bytes = 4 * (maxSequences + 1);
        return new TensorSpec(name, DType.INT32, Layout.BOUNDS, List.of(), longest, take(name, bytes), bytes, 0, 0);
    }

    /**
     * Allocates a tensor of lists of strings or binary values.
     *
     * @param maxLength maximum number of bytes of a row
     */
    TensorSpec allocateList(String name, DType dtype, long maxItems, long maxLength, int rows) {
        requireItems(name, maxItems, Math.max(maxLength, 8), rows);
        long values = take(name, rows * maxLength);
        long side = take(name, 8 * (rows + 1L));
        long itemBytes = 8 * (rows * maxItems + 1);
        long items = take(name, itemBytes);
        return new TensorSpec(
                name,
                dtype,
                Layout.LIST,
                List.of(),
                (int) maxItems,
                values,
                rows * maxLength,
                side,
                8 * (rows + 1L),
                items,
                itemBytes);
    }

    /** @param batchItems maximum number of items of a batch */
    TensorSpec allocateStacked(String name, List<Integer> dims, long maxItems, long batchItems, int rows) {
        long stride = 1;
        for (int dim : dims) {
            stride *= dim;
        }
        requireItems(name, maxItems, stride, rows);
        long values = take(name, batchItems * stride);
        long side = take(name, 8 * (rows + 1L));
        long items = take(name, 4 * batchItems);
        return new TensorSpec(
                name,
                DType.UINT8,
                Layout.STACKED,
                dims,
                (int) maxItems,
                values,
                batchItems * stride,
                side,
                8 * (rows + 1L),
                items,
                4 * batchItems);
    }

    /** Allocates a tensor of one byte for each item of a stacked tensor. */
    TensorSpec allocateMarks(String name, TensorSpec stacked, int rows) {
        long batchItems = stacked.itemsCapacityBytes() / 4;
        long values = take(name, batchItems);
        long side = take(name, 8 * (rows + 1L));
        return new TensorSpec(
                name,
                DType.UINT8,
                Layout.RAGGED,
                List.of(),
                stacked.maxLength(),
                values,
                batchItems,
                side,
                8 * (rows + 1L));
    }

    private static void requireItems(String name, long maxItems, long itemBytes, int rows) {
        if (maxItems > Integer.MAX_VALUE || rows * maxItems > MAX_BYTES / itemBytes / 8) {
            throw new ConfigException("column '" + name + "': " + rows + " rows of up to " + maxItems
                    + " items do not fit a slot; filter or cut such rows in the job, or make the batch smaller");
        }
    }

    private long take(String name, long wanted) {
        long start = bytes;
        long rounded =
                (wanted + ColumnPlan.ALIGNMENT_BYTES - 1) / ColumnPlan.ALIGNMENT_BYTES * ColumnPlan.ALIGNMENT_BYTES;
        if (start > MAX_BYTES - rounded) {
            throw new ConfigException("column '" + name + "': the slot passes 2^62 bytes; name fewer columns");
        }
        bytes = start + rounded;
        return start;
    }
}
