package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.SlotSizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Sizes of the batches of one rank and feed, from the rows' lengths alone: no value is read or written. */
public final class BatchLengths {
    private final BatchAssembler assembler;
    private final MemorySegment slot;

    /** @param plan columns whose batches are measured */
    public BatchLengths(RankOrder order, LaneCache cache, ColumnPlan plan, GatherPool pool, RowContext context) {
        assembler = new BatchAssembler(order, cache, plan, pool, context);
        slot = Arena.ofAuto().allocate(plan.slotBytes(), ColumnPlan.ALIGNMENT_BYTES);
    }

    /** The sizes of the batch of a global step. */
    public void measure(long globalStep, SlotSizes sizes) {
        assembler.measure(globalStep, slot, sizes);
    }
}
