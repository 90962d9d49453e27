package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;

/** Rows of different lengths. Reads each row's two offsets, and believes them only after checking. */
abstract sealed class VariableGather extends ColumnGather permits PaddedGather, RaggedGather, FileGather {
    /** Where the row's values begin in its file, per row of the batch. */
    final long[] source;
    /** Length along the variable dimension, per row of the batch. */
    final int[] length;

    final MappedColumn column;
    private final LaneCache cache;
    private final String name;
    private final int maxLength;
    private final int elementBytes;
    private final int elementsPerStep;

    VariableGather(PlannedColumn.Copied planned, MappedColumn column, LaneCache cache, int rows) {
        this(planned.tensor(), planned.source(), planned.tensor().maxLength(), column, cache, rows);
    }

    /** @param maxLength longest row of the column, in steps of the tensor */
    VariableGather(TensorSpec tensor, String name, int maxLength, MappedColumn column, LaneCache cache, int rows) {
        super(tensor);
        this.column = column;
        this.cache = cache;
        this.name = name;
        this.maxLength = maxLength;
        boolean isFixed = tensor.layout() == Layout.FIXED;
        this.elementBytes = isFixed ? 1 : tensor.dtype().sizeBytes();
        this.elementsPerStep = isFixed ? 1 : strideBytes / elementBytes;
        this.source = new long[rows];
        this.length = new int[rows];
    }

    @Override
    boolean isVariable() {
        return true;
    }

    @Override
    final void measure(BatchPlaces places, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            int block = places.block[i];
            int row = places.row[i];
            int start = column.offset(block, row);
            int elements = column.offset(block, row + 1) - start;
            int steps = elementsPerStep == 1 ? elements : elements / elementsPerStep;
            long sourceBytes = (long) start * elementBytes;
            boolean sound = start >= 0
                    && elements >= 0
                    && steps <= maxLength
                    && steps * elementsPerStep == elements
                    && sourceBytes + (long) elements * elementBytes <= column.valuesBytes(block);
            if (!sound) {
                throw cache.damage(
                        block,
                        column.offsets(block) + 4L * row,
                        "column '" + name + "': row " + row + " of the record batch claims elements " + start
                                + " to " + column.offset(block, row + 1) + " of "
                                + column.valuesBytes(block) / elementBytes + ", longest row "
                                + (long) maxLength * elementsPerStep);
            }
            source[i] = column.values(block) + sourceBytes;
            length[i] = steps;
        }
    }
}
