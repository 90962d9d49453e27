package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.TrainFeed;
import java.util.Arrays;

/**
 * The order of one rank, step after step: which rows its batches hold and where these are. Steps in sequence cost a few tens of
 * nanoseconds a row and allocate nothing but a small table for a short list, once; a jump to any other step costs
 * O(log steps) for each (lane, stratum) once. Confined
 * to one thread.
 */
public final class EpochOrder {
    private final int rank;
    private final int world;
    private final int lanes;
    private final int rankLanes;
    private final int rowsPerLane;
    private final int strata;
    private final long steps;
    private final boolean padded;
    private final Comb[] combs;
    private final Cycles cycles;
    private final Windows windows;
    private final LaneLayout layout;
    private final LaneCursor cursor;

    /** The number of rows that a lane owns, by stratum. */
    private final long[] own;

    /** The result of {@link Comb#lead} in the current segment, for each lane of this rank. */
    private final long[] lead;

    /** The lane, stratum, position in the cycle, key and draw count of each slot of the batch, before the rows are put in order. */
    private final int[] laneOf;

    private final int[] stratum;

    private final long[] positions;
    private final long[] key;
    private final long[] counts;
    private final long[] gridRows;
    private final long[] gridColumns;
    private final long[] shared;
    private final long[] draws;
    private final BatchSequence sequence;

    private StrataIndex index;
    private int segment = -1;
    private long expected = -1;

    /** The order of one rank of a world whose size divides the plan's lanes. */
    public EpochOrder(TrainFeed order, int rank, int world) {
        Worlds.check(order.lanes(), rank, world);
        this.rank = rank;
        this.world = world;
        this.lanes = order.lanes();
        this.rankLanes = order.lanes() / world;
        this.rowsPerLane = order.rowsPerLane();
        this.strata = order.strata().size();
        this.steps = order.steps();
        this.padded = order.mode() == EpochMode.PADDED;
        this.combs = Comb.of(order);
        this.cycles = new Cycles(order);
        this.windows = new Windows(order);
        this.layout = new LaneLayout(order);
        this.cursor = new LaneCursor(order, cycles, rank, world);
        this.own = new long[strata];
        Arrays.setAll(own, cycles::ownRows);
        int rows = rowsPerBatch();
        this.lead = new long[rankLanes];
        this.laneOf = new int[rows];
        Arrays.setAll(laneOf, x -> rank + x % rankLanes * world);
        this.stratum = new int[rows];
        this.positions = new long[rows];
        this.key = new long[rows];
        this.counts = new long[rows];
        this.shared = new long[rows];
        this.draws = new long[rows];
        this.gridRows = new long[rows];
        this.gridColumns = new long[rows];
        this.sequence = new BatchSequence(order, rank, world);
        this.index = combs[0].index();
    }

    /** Rows of each batch of this rank. */
    public int rowsPerBatch() {
        return rankLanes * rowsPerLane;
    }

    /** Fills this rank's batch of a global step, from 0 to epochs * steps per epoch - 1. */
    public void fill(long step, BatchRows out) {
        if (step < 0 || step >= steps) {
            throw new IndexOutOfBoundsException("step " + step + " of " + steps);
        }
        Comb comb = enter(step);
        sequence.arrange(step);
        if (windows.narrow()) {
            drawSlots(comb, step);
            expected = step + 1;
            resolve(out);
        } else {
            drawWindowed(comb, step, out);
        }
        out.size = rowsPerBatch();
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

    private void drawSlots(Comb comb, long step) {
        long[] state = cursor.state;
        for (int laneAt = 0; laneAt < rankLanes; laneAt++) {
            long shift = comb.shift(step, lead[laneAt]);
            long tooth = comb.tooth(0, shift);
            int x = laneAt;
            for (int j = 0; j < rowsPerLane; j++) {
                int drawn = index.at(tooth);
                int from = laneAt * strata + drawn;
                int at = from * LaneCursor.WORDS;
                long draw = state[at + LaneCursor.NEXT];
                if (draw >= state[at + LaneCursor.END]) {
                    cursor.enterCycle(from);
                }
                state[at + LaneCursor.NEXT] = draw + 1;
                long count = state[at + LaneCursor.COUNT];
                stratum[x] = drawn;
                draws[x] = draw;
                counts[x] = count;
                key[x] = state[at + LaneCursor.KEY];
                gridRows[x] = state[at + LaneCursor.GRID_ROWS];
                gridColumns[x] = state[at + LaneCursor.GRID_COLUMNS];
                shared[x] = state[at + LaneCursor.SHARED];
                long ofCycle = draw - state[at + LaneCursor.FIRST];
                byte[] table = cursor.table(from);
                positions[x] = table.length == 0 ? ofCycle : table[(int) ofCycle];
                tooth += comb.steps;
                x += rankLanes;
            }
        }
    }

    /** Turns drawn slots into rows: long lists are permuted all together, short ones one by one. */
    private void resolve(BatchRows out) {
        int rows = rowsPerBatch();
        Permutation.walkAll(rows, positions, counts, gridRows, gridColumns, key);
        for (int i = 0; i < rows; i++) {
            int x = sequence.slot(i);
            int of = stratum[x];
            long count = counts[x];
            long position = positions[x];
            if (count > 1 && count < Permutation.SHUFFLE_BELOW) {
                position = Permutation.at(count, key[x], position);
            }
            if (position < own[of]) {
                int lane = laneOf[x];
                out.set(i, of, position * lanes + lane, lane, layout.laneOffset(of) + position);
            } else {
                setShared(out, i, of, shared[x]);
            }
            if (out.hasCycles()) {
                out.cycle[i] = cycles.number(of, laneOf[x], draws[x], combs[segment].number);
            }
        }
    }

    private void setShared(BatchRows out, int i, int stratum, long index) {
        out.set(i, stratum, index, LaneLayout.SHARED, layout.ordinal(stratum, index));
    }

    /** Slots shuffled over a window: their draws are far apart, so each is numbered by itself. */
    private void drawWindowed(Comb comb, long step, BatchRows out) {
        long first = windows.first(comb, step);
        long slots = windows.slots(comb, first);
        int rows = rowsPerBatch();
        for (int i = 0; i < rows; i++) {
            int laneAt = sequence.slot(i) % rankLanes;
            int lane = rank + laneAt * world;
            long x = windows.source(first, slots, lane, (step - first) * rowsPerLane + sequence.slot(i) / rankLanes);
            long combStep = first + x / rowsPerLane;
            int combSlot = (int) (x % rowsPerLane);
            long shift = comb.shift(combStep, lead[laneAt]);
            int of = index.at(comb.tooth(combSlot, shift));
            long draw = comb.drawNumber(of, lane, combStep, combSlot, shift);
            long row = cycles.row(of, lane, draw, comb.number);
            out.set(i, of, row, layout.lane(of, row), layout.ordinal(of, row));
            if (out.hasCycles()) {
                out.cycle[i] = cycles.number(of, lane, draw, comb.number);
            }
        }
    }
}
