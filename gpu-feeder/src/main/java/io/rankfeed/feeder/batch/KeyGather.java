package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.tensor.PlannedColumn;
import io.rankfeed.feeder.transform.MemberSeeds;
import io.rankfeed.feeder.transform.RowKeys;
import io.rankfeed.schema.cache.CacheColumn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Writes for each row the int64 key of the random numbers that transforms outside the feeder use. */
final class KeyGather extends ColumnGather {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MappedColumn rowIds;
    /** By member of the feed. */
    private final long[] seeds;

    private long usedBytes;

    KeyGather(PlannedColumn.Keyed planned, LaneCache cache) {
        super(planned.tensor());
        rowIds = cache.column(CacheColumn.ROW_ID.name());
        seeds = MemberSeeds.of(planned.seed(), cache.mixedMembers());
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
        for (int i = from; i < to; i++) {
            int block = addresses.block[i];
            long rowId = rowIds.file(block).get(LONG, rowIds.values(block) + 8L * addresses.row[i]);
            long key = RowKeys.of(seeds[addresses.member[i]], rowId, addresses.cycle[i]);
            slot.set(LONG, tensor.valuesOffset() + 8L * i, key);
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
