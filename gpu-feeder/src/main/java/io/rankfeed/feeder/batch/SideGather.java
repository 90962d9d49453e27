package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** A tensor that the gather of the column before it writes. */
final class SideGather extends ColumnGather {
    private final LongSupplier used;
    private final IntSupplier width;

    /** @param used bytes in use, {@code width} the tensor's width, both asked for after that gather was settled */
    SideGather(TensorSpec tensor, LongSupplier used, IntSupplier width) {
        super(tensor);
        this.used = used;
        this.width = width;
    }

    /** One byte for each row, or image, of another gather. */
    static SideGather marks(TensorSpec tensor, ColumnGather marked) {
        return new SideGather(tensor, marked::count, () -> 0);
    }

    @Override
    void measure(BatchPlaces places, int from, int to, MemorySegment slot) {
        // Nothing to read.
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        // Written by the other gather.
    }

    @Override
    void copy(BatchPlaces places, int from, int to, MemorySegment slot) {
        // Written by the other gather.
    }

    @Override
    long usedBytes() {
        return used.getAsLong();
    }

    /** Part of the other gather's cost. */
    @Override
    long costBytes() {
        return 0;
    }

    @Override
    int width() {
        return width.getAsInt();
    }
}
