package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.cache.References;
import io.rankfeed.feeder.tensor.PlannedColumn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Gathers rows of equal size: row i of the batch is copied to base + i · stride. */
final class FixedGather extends ColumnGather {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MappedColumn column;
    /** Null if no row has a reference. */
    private final @Nullable References references;

    private long usedBytes;

    FixedGather(PlannedColumn.Copied planned, LaneCache cache) {
        super(planned.tensor());
        column = cache.column(planned.source());
        references = cache.references(planned.source(), strideBytes);
    }

    @Override
    void measure(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        // Every row has the same length.
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        usedBytes = (long) validRows * strideBytes;
    }

    @Override
    void copy(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        switch (strideBytes) {
            case 1 -> copyBytes(addresses, from, to, slot);
            case 2 -> copyShorts(addresses, from, to, slot);
            case 4 -> copyInts(addresses, from, to, slot);
            case 8 -> copyLongs(addresses, from, to, slot);
            default -> {
                if (references == null) {
                    copyRuns(addresses, from, to, slot);
                } else {
                    copyReferences(references, addresses, from, to, slot);
                }
            }
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

    private void copyBytes(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            int block = addresses.block[i];
            byte value = column.file(block).get(ValueLayout.JAVA_BYTE, column.values(block) + addresses.row[i]);
            slot.set(ValueLayout.JAVA_BYTE, tensor.valuesOffset() + i, value);
        }
    }

    private void copyShorts(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            int block = addresses.block[i];
            short value = column.file(block).get(SHORT, column.values(block) + 2L * addresses.row[i]);
            slot.set(SHORT, tensor.valuesOffset() + 2L * i, value);
        }
    }

    private void copyInts(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            int block = addresses.block[i];
            int value = column.file(block).get(INT, column.values(block) + 4L * addresses.row[i]);
            slot.set(INT, tensor.valuesOffset() + 4L * i, value);
        }
    }

    private void copyLongs(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            int block = addresses.block[i];
            long value = column.file(block).get(LONG, column.values(block) + 8L * addresses.row[i]);
            slot.set(LONG, tensor.valuesOffset() + 8L * i, value);
        }
    }

    private void copyRuns(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        long stride = strideBytes;
        long target = tensor.valuesOffset() + from * stride;
        for (int i = from; i < to; i++) {
            int block = addresses.block[i];
            long source = column.values(block) + addresses.row[i] * stride;
            MemorySegment.copy(column.file(block), source, slot, target, stride);
            target += stride;
        }
    }

    /** Copies rows of which some, or all, have references. */
    private void copyReferences(References of, BatchAddresses addresses, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            if (of.isIn(addresses.block[i])) {
                of.copy(addresses.block[i], addresses.row[i], slot, tensor.valuesOffset() + (long) i * strideBytes);
            } else {
                copyRuns(addresses, i, i + 1, slot);
            }
        }
    }
}
