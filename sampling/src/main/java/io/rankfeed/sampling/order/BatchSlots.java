package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.TrainFeed;

/**
 * The draws of a step before they are in the order of the batch: slot x is tooth {@code x div k} of the rank's lane {@code x mod k}.
 * Confined to one thread.
 */
final class BatchSlots {
    /** Of each slot: its stratum, stored lane, position in the cycle or lane, and what permutes the position. */
    final int[] stratum;

    final int[] lane;
    final long[] position;
    final long[] count;
    final long[] key;
    final long[] gridRows;
    final long[] gridColumns;

    /** The list index of the lane's shared row in the cycle, if it has one. */
    final long[] shared;

    /** The number of the draw in its stored lane; where a pass maps places to rows, the cycle. */
    final long[] draw;

    private final int rank;
    private final int world;
    private final int orderLanes;
    private final int rankLanes;
    private final int strata;
    private final Cycles cycles;
    private final LaneCursor cursor;
    private final StoredRows stored;

    BatchSlots(TrainFeed order, Cycles cycles, LaneCursor cursor, StoredRows stored, int rank, int world) {
        this.rank = rank;
        this.world = world;
        this.orderLanes = order.lanes();
        this.rankLanes = order.lanes() / world;
        this.strata = order.strata().size();
        this.cycles = cycles;
        this.cursor = cursor;
        this.stored = stored;
        int rows = order.batch() / world;
        this.stratum = new int[rows];
        this.lane = new int[rows];
        this.position = new long[rows];
        this.count = new long[rows];
        this.key = new long[rows];
        this.gridRows = new long[rows];
        this.gridColumns = new long[rows];
        this.shared = new long[rows];
        this.draw = new long[rows];
        for (int x = 0; x < rows; x++) {
            lane[x] = orderLane(x);
        }
    }

    private int orderLane(int x) {
        return rank + x % rankLanes * world;
    }

    /** Draws the slots of a step from the cursor's state. */
    void fill(Comb comb, StrataIndex index, long[] lead, long step) {
        long[] state = cursor.state;
        int rowsPerLane = comb.rowsPerLane;
        boolean oneRecord = cursor.oneRecordPerLane();
        for (int laneAt = 0; laneAt < rankLanes; laneAt++) {
            int storedLane = rank + laneAt * world;
            long tooth = comb.tooth(0, comb.shift(step, lead[laneAt]));
            int x = laneAt;
            for (int j = 0; j < rowsPerLane; j++) {
                int drawn = index.at(tooth);
                int from = laneAt * strata + drawn;
                if (!oneRecord) {
                    int turn = cursor.takeTurn(laneAt, drawn);
                    storedLane = rank + laneAt * world + turn * orderLanes;
                    lane[x] = storedLane;
                    from = cursor.record(laneAt, drawn, turn);
                }
                int at = from * LaneCursor.WORDS;
                long next = state[at + LaneCursor.NEXT];
                if (next >= state[at + LaneCursor.END]) {
                    cursor.enterCycle(from, drawn, storedLane);
                }
                state[at + LaneCursor.NEXT] = next + 1;
                stratum[x] = drawn;
                draw[x] = next;
                count[x] = state[at + LaneCursor.COUNT];
                key[x] = state[at + LaneCursor.KEY];
                gridRows[x] = state[at + LaneCursor.GRID_ROWS];
                gridColumns[x] = state[at + LaneCursor.GRID_COLUMNS];
                shared[x] = state[at + LaneCursor.SHARED];
                long ofCycle = next - state[at + LaneCursor.FIRST];
                byte[] table = cursor.table(from);
                position[x] = table.length == 0 ? ofCycle : table[(int) ofCycle];
                tooth += comb.steps;
                x += rankLanes;
            }
        }
    }

    /** Turns drawn slots into rows: long lists are permuted all together, short ones one by one. */
    void resolve(BatchRows out, BatchSequence sequence, int rows, long epoch) {
        Permutation.walkAll(rows, position, count, gridRows, gridColumns, key);
        PassRows pass = cycles.pass;
        if (pass != null) {
            for (int x = 0; x < rows; x++) {
                pass.resolve(this, x, epoch, listed(x) * orderLanes + orderLane(x));
            }
            Permutation.walkAll(rows, position, count, gridRows, gridColumns, key);
        }
        long[] records = stored.records;
        for (int i = 0; i < rows; i++) {
            int x = sequence.slot(i);
            int of = stratum[x];
            int at = of * StoredRows.WORDS;
            long listed = listed(x);
            if (listed < records[at + StoredRows.OWN]) {
                out.set(
                        i,
                        of,
                        listed * records[at + StoredRows.LANES] + lane[x],
                        lane[x],
                        records[at + StoredRows.LANE_OFFSET] + listed);
            } else {
                out.set(i, of, shared[x], LaneLayout.SHARED, records[at + StoredRows.SHARED_OFFSET] + shared[x]);
            }
            if (out.hasCycles()) {
                out.cycle[i] = pass == null ? cycles.number(cycles.cycle(of, lane[x], draw[x]), epoch) : draw[x];
            }
        }
    }

    /** The position of a slot's row after those of long lists have been walked. */
    private long listed(int x) {
        long n = count[x];
        return n > 1 && n < Permutation.SHUFFLE_BELOW ? Permutation.at(n, key[x], position[x]) : position[x];
    }
}
