package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** One byte per row, or per image of lists: whether there is an image. The gather of the images, which comes first, writes it. */
final class MarkGather extends ColumnGather {
    private final @Nullable StackedGather stacked;
    private long usedBytes;

    /** @param images the gather of the images */
    MarkGather(TensorSpec tensor, ColumnGather images) {
        super(tensor);
        stacked = images instanceof StackedGather lists ? lists : null;
    }

    @Override
    void measure(BatchPlaces places, int from, int to, MemorySegment slot) {
        // Nothing to read.
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        usedBytes = validRows;
        if (stacked != null) {
            usedBytes = stacked.count();
            stacked.writeOffsets(tensor.sideOffset(), slot);
        }
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
