package io.rankfeed.sampling;

/**
 * The order of one rank, step after step: which rows its batches hold and where these lie. Steps in sequence cost a few tens of
 * nanoseconds a row and allocate nothing; a jump to any other step costs O(log steps) for each (lane, stratum) once. Confined
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

    /** Per stratum: rows that a lane owns, and the permutation's grid for that many places and for one more. */
    private final long[] own;

    private final long[] grid;

    /** Per lane of this rank, how far its comb is ahead in the current segment. */
    private final long[] lead;

    /** Per slot of the batch, before the rows are put in order: the (lane, stratum) it draws from, its place, key and count. */
    private final int[] slot;

    private final long[] place;
    private final long[] key;
    private final long[] places;
    private final long[] gridRows;
    private final long[] gridColumns;
    private final long[] shared;
    private final BatchSequence sequence;

    private int segment = -1;
    private long expected = -1;

    /** The order of one rank of a world whose size divides the plan's lanes. */
    public EpochOrder(Order order, int rank, int world) {
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
        this.grid = new long[strata * 4];
        for (int s = 0; s < strata; s++) {
            own[s] = cycles.ownRows(s);
            for (int more = 0; more < 2; more++) {
                long rows = Permutation.gridRows(Math.max(1, own[s] + more));
                grid[4 * s + 2 * more] = rows;
                grid[4 * s + 2 * more + 1] = Permutation.gridColumns(Math.max(1, own[s] + more), rows);
            }
        }
        int rows = rowsPerBatch();
        this.lead = new long[rankLanes];
        this.slot = new int[rows];
        this.place = new long[rows];
        this.key = new long[rows];
        this.places = new long[rows];
        this.shared = new long[rows];
        this.gridRows = new long[rows];
        this.gridColumns = new long[rows];
        this.sequence = new BatchSequence(order, rank, world);
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
        LaneCursor at = cursor;
        for (int laneAt = 0; laneAt < rankLanes; laneAt++) {
            long shift = comb.shift(step, lead[laneAt]);
            long tooth = comb.tooth(0, shift);
            int stratum = 0;
            int x = laneAt;
            for (int j = 0; j < rowsPerLane; j++) {
                stratum = comb.stratumAt(tooth, stratum);
                int from = laneAt * strata + stratum;
                long draw = at.next[from];
                if (draw >= at.end[from]) {
                    at.enterCycle(from);
                }
                at.next[from] = draw + 1;
                slot[x] = from;
                place[x] = draw - at.first[from];
                key[x] = at.key[from];
                long count = at.places[from];
                places[x] = count;
                if (count >= Permutation.SHUFFLE_BELOW) {
                    int cells = 4 * stratum + 2 * (int) (count - own[stratum]);
                    gridRows[x] = grid[cells];
                    gridColumns[x] = grid[cells + 1];
                }
                shared[x] = at.shared[from];
                tooth += comb.steps;
                x += rankLanes;
            }
        }
    }

    /** Turns drawn slots into rows: long lists are permuted all together, short ones one by one. */
    private void resolve(BatchRows out) {
        int rows = rowsPerBatch();
        Permutation.walkAll(rows, place, places, gridRows, gridColumns, key);
        for (int i = 0; i < rows; i++) {
            int x = sequence.slot(i);
            int from = slot[x];
            int laneAt = from / strata;
            int stratum = from - laneAt * strata;
            long count = places[x];
            long rowPlace = place[x];
            if (count > 1 && count < Permutation.SHUFFLE_BELOW) {
                rowPlace = Permutation.at(count, key[x], rowPlace);
            }
            if (rowPlace < own[stratum]) {
                int lane = rank + laneAt * world;
                out.set(i, stratum, rowPlace * lanes + lane, lane, layout.laneOffset(stratum) + rowPlace);
            } else {
                setShared(out, i, stratum, shared[x]);
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
            int stratum = comb.stratumAt(comb.tooth(combSlot, shift), 0);
            long draw = comb.drawNumber(stratum, lane, combStep, combSlot, shift);
            long index = cycles.row(stratum, lane, draw, comb.number);
            out.set(i, stratum, index, layout.lane(stratum, index), layout.ordinal(stratum, index));
        }
    }
}
