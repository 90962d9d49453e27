package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;

/** Gathers rows of different lengths. */
abstract sealed class VariableGather extends ColumnGather permits PaddedGather, RaggedGather, FileGather {
    /** The offset in bytes at which each row's values begin in the file: [rows]. */
    final long[] source;
    /** The length of each row of the batch along the variable dimension. */
    final int[] length;

    final MappedColumn column;
    private final VariableRows rows;

    VariableGather(PlannedColumn.Copied planned, LaneCache cache, int rows) {
        this(
                planned.tensor(),
                new VariableRows(
                        planned.source(),
                        planned.tensor().dtype().sizeBytes(),
                        planned.tensor().strideBytes()
                                / planned.tensor().dtype().sizeBytes(),
                        planned.tensor().maxLength(),
                        cache,
                        rows));
    }

    VariableGather(TensorSpec tensor, VariableRows rows) {
        super(tensor);
        this.rows = rows;
        source = rows.source;
        length = rows.length;
        column = rows.column;
    }

    @Override
    boolean isVariable() {
        return true;
    }

    @Override
    final void measure(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        rows.measure(addresses, from, to);
    }
}
