package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.TrainFeed;

/**
 * The order of one rank, step after step: which rows its batches hold and where these are. Steps in sequence cost a few tens of
 * nanoseconds a row and allocate nothing but a small table for a short list, once; a jump to any other step costs
 * O(log steps) for each (lane, stratum) once. Confined
 * to one thread.
 */
public final class EpochOrder {
    private final int rank;
    private final int world;
    private final int rankLanes;
    private final int largestBatch;
    private final long steps;
    private final boolean padded;
    private final Comb[] combs;
    private final Cycles cycles;
    private final Windows windows;
    private final StoredRows stored;
    private final LaneCursor cursor;

    /** The result of {@link Comb#lead} in the current segment, for each lane of this rank. */
    private final long[] lead;

    private final BatchSlots slots;
    private final BatchSequence sequence;

    private StrataIndex index;
    private int segment = -1;
    private long expected = -1;

    /** The order of one rank of a world whose size divides the plan's lanes. */
    public EpochOrder(TrainFeed order, int rank, int world) {
        Worlds.check(order.lanes(), rank, world);
        this.rank = rank;
        this.world = world;
        this.rankLanes = order.lanes() / world;
        this.largestBatch = order.batch() / world;
        this.steps = order.steps();
        this.padded = order.mode() == EpochMode.PADDED;
        this.combs = Comb.of(order);
        this.cycles = new Cycles(order);
        this.windows = new Windows(order);
        this.stored = new StoredRows(order);
        this.cursor = new LaneCursor(order, cycles, rank, world);
        this.lead = new long[rankLanes];
        this.slots = new BatchSlots(order, cycles, cursor, stored, rank, world);
        this.sequence = new BatchSequence(order, rank, world);
        this.index = combs[0].index();
    }

    /** Rows of each batch of this rank; of the largest one where the batch changes during the run. */
    public int rowsPerBatch() {
        return largestBatch;
    }

    /** Fills this rank's batch of a global step, from 0 to the steps of the run - 1. */
    public void fill(long step, BatchRows out) {
        if (step < 0 || step >= steps) {
            throw new IndexOutOfBoundsException("step " + step + " of " + steps);
        }
        Comb comb = enter(step);
        int rows = comb.rowsPerLane * rankLanes;
        sequence.arrange(step, rows);
        if (windows.narrow()) {
            slots.fill(comb, index, lead, step);
            expected = step + 1;
            slots.resolve(out, sequence, rows, comb.number);
        } else {
            fillWindowed(comb, step, rows, out);
        }
        out.size = rows;
    }

    private Comb enter(long step) {
        int before = segment;
        segment = segmentOf(step);
        Comb comb = combs[segment];
        if (segment != before) {
            for (int laneAt = 0; laneAt < rankLanes; laneAt++) {
                lead[laneAt] = comb.lead(rank + laneAt * world);
            }
            index = comb.index();
        }
        // A lane has drawn exactly its quotas when a segment ends, so the counters run on; padded epochs restart them.
        if (windows.narrow() && (step != expected || (padded && segment != before))) {
            cursor.seek(comb, step);
        }
        return comb;
    }

    private int segmentOf(long step) {
        if (segment >= 0 && step >= combs[segment].step && step < combs[segment].end) {
            return segment;
        }
        int low = 0;
        int high = combs.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (step < combs[middle].end) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Slots shuffled over a window: their draws are far apart, so each is numbered by itself. */
    private void fillWindowed(Comb comb, long step, int rows, BatchRows out) {
        long first = windows.first(comb, step);
        long windowSlots = windows.slots(comb, first);
        for (int i = 0; i < rows; i++) {
            int laneAt = sequence.slot(i) % rankLanes;
            int lane = rank + laneAt * world;
            int slot = sequence.slot(i) / rankLanes;
            long x = windows.source(first, windowSlots, lane, (step - first) * comb.rowsPerLane + slot);
            long combStep = first + x / comb.rowsPerLane;
            int combSlot = (int) (x % comb.rowsPerLane);
            long shift = comb.shift(combStep, lead[laneAt]);
            int of = index.at(comb.tooth(combSlot, shift));
            long draw = comb.drawNumber(of, lane, combStep, combSlot, shift);
            stored.set(out, i, of, cycles.row(of, lane, draw, comb.number));
            if (out.hasCycles()) {
                out.cycle[i] = cycles.number(cycles.cycleOf(of, lane, draw, comb.number), comb.number);
            }
        }
    }
}
