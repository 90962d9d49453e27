package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.tensor.PlannedColumn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Gathers lists of strings or binary values: the bytes of all items back to back, int64 offsets [rows + 1] of items,
 * and int64 offsets [items + 1] of bytes.
 */
final class ListGather extends ColumnGather {
    private static final ValueLayout.OfLong OFFSET = ValueLayout.JAVA_LONG_UNALIGNED;

    private final ListRows lists;
    /** The index of the first item of each row in the batch. */
    private final long[] item;

    private final long[] at;
    private final int rows;
    private long usedBytes;

    ListGather(PlannedColumn.Listed planned, LaneCache cache, int rows) {
        super(planned.tensor());
        lists = new ListRows(
                planned.source(),
                cache.column(planned.source()),
                cache,
                planned.tensor().maxLength(),
                planned.maxBytes(),
                rows);
        this.rows = rows;
        item = new long[rows];
        at = new long[rows];
    }

    @Override
    boolean isVariable() {
        return true;
    }

    @Override
    void measure(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        lists.measure(addresses, from, to);
    }

    @Override
    void settle(int validRows, MemorySegment slot) {
        long items = 0;
        usedBytes = 0;
        for (int i = 0; i < validRows; i++) {
            item[i] = items;
            at[i] = usedBytes;
            slot.set(OFFSET, tensor.sideOffset() + 8L * i, items);
            items += lists.count[i];
            usedBytes += lists.bytes[i];
        }
        // A short batch repeats its end, so that the offsets never fall whoever reads how many of them.
        for (int i = validRows; i <= rows; i++) {
            slot.set(OFFSET, tensor.sideOffset() + 8L * i, items);
        }
        slot.set(OFFSET, tensor.itemsOffset() + 8 * items, usedBytes);
    }

    @Override
    void copy(BatchAddresses addresses, int from, int to, MemorySegment slot) {
        for (int i = from; i < to; i++) {
            MemorySegment.copy(
                    lists.column.file(addresses.block[i]),
                    lists.source(addresses, i),
                    slot,
                    tensor.valuesOffset() + at[i],
                    lists.bytes[i]);
            int begin = 0;
            for (int k = 0; k < lists.count[i]; k++) {
                slot.set(OFFSET, tensor.itemsOffset() + 8 * (item[i] + k), at[i] + begin);
                begin = lists.itemEnd(addresses, i, k, begin);
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
}
