package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;

/** One byte per row: whether the row has an image. The gather of the images writes it. */
final class MarkGather extends ColumnGather {
    private long usedBytes;

    MarkGather(TensorSpec tensor) {
        super(tensor);
    }

    @Override
    void measure(BatchPlaces places, int from, int to, MemorySegment slot) {
        // Nothing to read.
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        usedBytes = validRows;
    }

    @Override
    void copy(BatchPlaces places, int from, int to, MemorySegment slot) {
        // Written with the images.
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
