package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.TrainFeed;
import java.util.Arrays;

/**
 * The running state of the lanes of one rank: per (lane, stratum) the number of the next draw and the cycle it is in. A slot
 * is {@code laneAt * strata + stratum}, where {@code laneAt} counts the rank's own lanes. Its state is a record of
 * {@value #WORDS} words, as long as a line of the processor's cache: with thousands of strata each draw meets another record.
 */
final class LaneCursor {
    static final int WORDS = 8;

    /** Number of the next draw. */
    static final int NEXT = 0;

    /** First draw of the slot's cycle and of the cycle after it: the rest of the record holds for draws between them. */
    static final int FIRST = 1;

    static final int END = 2;

    /** The number of the lane's rows in the cycle if a grid shuffles them; 0 in list order, or if a table has their positions. */
    static final int COUNT = 3;

    static final int KEY = 4;
    static final int GRID_ROWS = 5;
    static final int GRID_COLUMNS = 6;

    /** List index of the lane's shared row in the cycle, if it has one. */
    static final int SHARED = 7;

    /** Slots beyond this number have no tables: 64 bytes each would be too many. */
    private static final int MAX_TABLES = 1 << 18;

    private static final byte[] NO_TABLE = {};

    final long[] state;

    /** The shuffled positions of each slot's cycle if it has too few for a grid; empty if there is no cycle yet or it is in list order. */
    private final byte[][] table;

    private final Cycles cycles;
    private final int rank;
    private final int world;
    private final int strata;
    private final int lanes;
    private final boolean tables;
    private final int[] images = new int[Permutation.SHUFFLE_BELOW];
    private long epoch;

    LaneCursor(TrainFeed order, Cycles cycles, int rank, int world) {
        this.cycles = cycles;
        this.rank = rank;
        this.world = world;
        this.strata = order.strata().size();
        this.lanes = order.lanes() / world;
        int slots = lanes * strata;
        this.state = new long[slots * WORDS];
        this.tables = slots <= MAX_TABLES;
        this.table = new byte[tables ? slots : 0][];
        Arrays.fill(table, NO_TABLE);
    }

    /** Sets every slot to where it is before a global step. */
    void seek(Comb comb, long step) {
        epoch = comb.number;
        long[] drawn = new long[strata];
        for (int laneAt = 0; laneAt < lanes; laneAt++) {
            comb.drawnAll(rank + laneAt * world, step, drawn, 0);
            for (int s = 0; s < strata; s++) {
                int at = (laneAt * strata + s) * WORDS;
                state[at + NEXT] = drawn[s];
                state[at + FIRST] = 0;
                state[at + END] = 0;
            }
        }
    }

    /** Brings the cycle of a slot up to its next draw. */
    void enterCycle(int slot) {
        int stratum = slot % strata;
        int lane = rank + slot / strata * world;
        int at = slot * WORDS;
        long cycle = cycles.cycle(stratum, lane, state[at + NEXT]);
        state[at + FIRST] = cycles.firstDraw(stratum, lane, cycle);
        state[at + END] = cycles.firstDraw(stratum, lane, cycle + 1);
        long count = state[at + END] - state[at + FIRST];
        state[at + COUNT] = 0;
        byte[] positions = NO_TABLE;
        if (count > 1 && cycles.shuffled(cycle, epoch)) {
            long key = cycles.laneKey(stratum, lane, cycle, epoch);
            state[at + KEY] = key;
            if (count < Permutation.SHUFFLE_BELOW && tables) {
                positions = shuffledPositions(table[slot], (int) count, key);
            } else {
                state[at + COUNT] = count;
            }
            if (count >= Permutation.SHUFFLE_BELOW) {
                state[at + GRID_ROWS] = Permutation.gridRows(count);
                state[at + GRID_COLUMNS] = Permutation.gridColumns(count, state[at + GRID_ROWS]);
            }
        }
        if (tables) {
            table[slot] = positions; // a cycle never keeps the table of the cycle before it
        }
        if (count > cycles.ownRows(stratum)) {
            state[at + SHARED] = cycles.sharedRow(stratum, cycles.turn(stratum, lane, cycle), cycle, epoch);
        }
    }

    /** The shuffled positions of a slot's cycle; empty where they are to be computed one by one. */
    byte[] table(int slot) {
        return tables ? table[slot] : NO_TABLE;
    }

    /** The shuffled positions of a cycle, in the table of the cycle before it where there is one. */
    private byte[] shuffledPositions(byte[] reused, int count, long key) {
        byte[] positions = reused.length == 0 ? new byte[Permutation.SHUFFLE_BELOW] : reused;
        Permutation.shuffle(key, images, count);
        for (int x = 0; x < count; x++) {
            positions[x] = (byte) images[x];
        }
        return positions;
    }
}
