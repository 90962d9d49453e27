package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.tensor.PlannedColumn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Gathers the rows' values back to back, and int64 offsets [rows + 1] along the variable dimension. */
final class RaggedGather extends VariableGather {
    private static final ValueLayout.OfLong OFFSET = ValueLayout.JAVA_LONG_UNALIGNED;

    private final int rows;
    /** The offset of each row's first value in the batch, in elements along the variable dimension. */
    private final long[] start;

    private long usedBytes;

    RaggedGather(PlannedColumn.Copied planned, LaneCache cache, int rows) {
        super(planned, cache, rows);
        this.rows = rows;
        this.start = new long[rows];
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        long at = 0;
        for (int i = 0; i < validRows; i++) {
            start[i] = at;
            slot.set(OFFSET, tensor.sideOffset() + 8L * i, at);
            at += length[i];
        }
        // A short batch repeats its end, so that the offsets never fall whoever reads how many of them.
        for (int i = validRows; i <= rows; i++) {
            slot.set(OFFSET, tensor.sideOffset() + 8L * i, at);
        }
        usedBytes = at * strideBytes;
    }

    @Override
    void copy(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            MemorySegment.copy(
                    bytes(addresses, i),
                    source[i],
                    slot,
                    tensor.valuesOffset() + start[i] * strideBytes,
                    (long) length[i] * strideBytes);
        }
    }

    @Override
    long usedBytes() {
        return usedBytes;
    }

    @Override
    int width() {
        return 0;
    }
}
