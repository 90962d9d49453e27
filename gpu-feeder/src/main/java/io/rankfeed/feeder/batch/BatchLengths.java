package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.SlotSizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Computes the sizes of the batches of one rank and feed from the lengths of rows. Reads and writes no values. */
public final class BatchLengths {
    private final BatchAssembler assembler;
    private final MemorySegment slot;

    /** @param plan the columns whose batches are measured */
    public BatchLengths(RankOrder order, LaneCache cache, ColumnPlan plan, GatherPool pool, RowContext context) {
        assembler = new BatchAssembler(order, cache, plan, pool, context);
        slot = Arena.ofAuto().allocate(plan.slotBytes(), ColumnPlan.ALIGNMENT_BYTES);
    }

    /** Computes the sizes of the batch of a global step. */
    public void measure(long globalStep, SlotSizes sizes) {
        assembler.measure(globalStep, slot, sizes);
    }
}
