package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.tensor.PlannedColumn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Gathers rows into [rows, width, inner…] filled up with the pad value, and int32 lengths [rows]. */
final class PaddedGather extends VariableGather {
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED;

    private final Padding padding;
    private int width;
    private long usedBytes;
    private long tokens;
    private int rows;

    PaddedGather(PlannedColumn.Copied planned, LaneCache cache, int rows) {
        super(planned, cache, rows);
        long rowBytes = (long) Math.max(tensor.maxLength(), 1) * strideBytes;
        padding = new Padding(tensor.dtype().sizeBytes(), planned.padBits(), rowBytes);
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        int longest = 1;
        rows = validRows;
        tokens = 0;
        for (int i = 0; i < validRows; i++) {
            longest = Math.max(longest, length[i]);
            tokens += length[i];
            slot.set(LENGTH, tensor.sideOffset() + 4L * i, length[i]);
        }
        for (int i = validRows; i < length.length; i++) {
            slot.set(LENGTH, tensor.sideOffset() + 4L * i, 0);
        }
        width = longest;
        usedBytes = (long) validRows * longest * strideBytes;
    }

    @Override
    void copy(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        long rowBytes = (long) width * strideBytes;
        long target = tensor.valuesOffset() + from * rowBytes;
        for (int i = from; i < to; i++) {
            long valueBytes = (long) length[i] * strideBytes;
            MemorySegment.copy(bytes(addresses, i), source[i], slot, target, valueBytes);
            padding.fill(slot, target + valueBytes, rowBytes - valueBytes);
            target += rowBytes;
        }
    }

    @Override
    long tokens() {
        return tokens;
    }

    @Override
    long paddedTokens() {
        return (long) rows * width;
    }

    @Override
    long usedBytes() {
        return usedBytes;
    }

    @Override
    int width() {
        return width;
    }
}
