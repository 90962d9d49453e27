package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.tensor.PlannedColumn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Rows of equal size: row i of the batch is one copy to base + i · stride. */
final class FixedGather extends ColumnGather {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MappedColumn column;
    private long usedBytes;

    FixedGather(PlannedColumn.Copied planned, MappedColumn column) {
        super(planned.tensor());
        this.column = column;
    }

    @Override
    void measure(BatchPlaces places, int from, int to, MemorySegment slot) {
        // Every row has the same length.
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        usedBytes = (long) validRows * strideBytes;
    }

    @Override
    void copy(BatchPlaces places, int from, int to, MemorySegment slot) {
        switch (strideBytes) {
            case 1 -> copyBytes(places, from, to, slot);
            case 2 -> copyShorts(places, from, to, slot);
            case 4 -> copyInts(places, from, to, slot);
            case 8 -> copyLongs(places, from, to, slot);
            default -> copyRuns(places, from, to, slot);
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

    private void copyBytes(BatchPlaces places, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            int block = places.block[i];
            byte value = column.file(block).get(ValueLayout.JAVA_BYTE, column.values(block) + places.row[i]);
            slot.set(ValueLayout.JAVA_BYTE, tensor.valuesOffset() + i, value);
        }
    }

    private void copyShorts(BatchPlaces places, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            int block = places.block[i];
            short value = column.file(block).get(SHORT, column.values(block) + 2L * places.row[i]);
            slot.set(SHORT, tensor.valuesOffset() + 2L * i, value);
        }
    }

    private void copyInts(BatchPlaces places, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            int block = places.block[i];
            int value = column.file(block).get(INT, column.values(block) + 4L * places.row[i]);
            slot.set(INT, tensor.valuesOffset() + 4L * i, value);
        }
    }

    private void copyLongs(BatchPlaces places, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            int block = places.block[i];
            long value = column.file(block).get(LONG, column.values(block) + 8L * places.row[i]);
            slot.set(LONG, tensor.valuesOffset() + 8L * i, value);
        }
    }

    private void copyRuns(BatchPlaces places, int from, int to, MemorySegment slot) {
        long stride = strideBytes;
        long target = tensor.valuesOffset() + from * stride;
        for (int i = from; i < to; i++) {
            int block = places.block[i];
            long source = column.values(block) + places.row[i] * stride;
            MemorySegment.copy(column.file(block), source, slot, target, stride);
            target += stride;
        }
    }
}
