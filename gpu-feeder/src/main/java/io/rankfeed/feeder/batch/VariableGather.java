package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;

/** Gathers rows of different lengths. */
abstract sealed class VariableGather extends ColumnGather permits PaddedGather, RaggedGather, FileGather {
    /** The offset at which each row's values begin in its {@link #bytes}: [rows]. */
    final long[] source;
    /** The length of each row of the batch along the variable dimension. */
    final int[] length;

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
    }

    @Override
    boolean isVariable() {
        return true;
    }

    /** The memory that a row's values are in. */
    final MemorySegment bytes(BatchAddresses addresses, int i) {
        return rows.bytes(addresses, i);
    }

    @Override
    final void measure(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        rows.measure(addresses, from, to);
    }
}
