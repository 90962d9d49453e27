package io.rankfeed.feeder.tensor;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;

/** Hands out the bytes of a slot, tensor after tensor, each part at a multiple of 64. */
final class SlotLayout {
    private static final long MAX_BYTES = 1L << 62;

    private long bytes;

    /** Bytes handed out so far. */
    long bytes() {
        return bytes;
    }

    TensorSpec place(String name, DType dtype, Layout layout, List<Integer> innerDims, int maxLength, int rows) {
        long stride = dtype.sizeBytes();
        for (int dim : innerDims) {
            stride *= dim;
        }
        long steps =
                switch (layout) {
                    case FIXED -> rows;
                    case PADDED -> (long) rows * Math.max(maxLength, 1);
                    case RAGGED -> (long) rows * maxLength;
                };
        if (steps > MAX_BYTES / stride) {
            throw new ConfigException("column '" + name + "': " + rows + " rows of " + maxLength + " elements of "
                    + stride + " bytes pass 2^62 bytes; cut the values in the job, or the batch");
        }
        long values = take(name, steps * stride);
        long sideBytes =
                switch (layout) {
                    case FIXED -> 0;
                    case PADDED -> 4L * rows;
                    case RAGGED -> 8L * (rows + 1L);
                };
        long side = layout == Layout.FIXED ? 0 : take(name, sideBytes);
        return new TensorSpec(name, dtype, layout, innerDims, maxLength, values, steps * stride, side, sideBytes);
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
