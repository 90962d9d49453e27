package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** A tensor that the gather of the column before it writes. */
final class SideGather extends ColumnGather {
    private final LongSupplier used;
    private final IntSupplier width;

    /**
     * @param used supplies the bytes in use, and {@code width} the width; both are called after that gather was settled
     */
    SideGather(TensorSpec tensor, LongSupplier used, IntSupplier width) {
        super(tensor);
        this.used = used;
        this.width = width;
    }

    /** Returns the gather of a tensor with one byte for each row, or image, of another gather. */
    static SideGather marks(TensorSpec tensor, ColumnGather marked) {
        return new SideGather(tensor, marked::count, () -> 0);
    }

    @Override
    void measure(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        // Nothing to read.
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        // Written by the other gather.
    }

    @Override
    void copy(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        // Written by the other gather.
    }

    @Override
    long usedBytes() {
        return used.getAsLong();
    }

    /** Returns 0: the cost is part of the other gather's. */
    @Override
    long costBytes() {
        return 0;
    }

    @Override
    int width() {
        return width.getAsInt();
    }
}
