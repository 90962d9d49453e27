package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.TrainFeed;
import java.util.Arrays;

/**
 * The running state of the lanes of one rank: per (stored lane, stratum) the number of the next draw and the cycle it is in. A lane of
 * the order draws in turn from {@code U / V} stored lanes of a stratum, mostly from one. Its state is a record of {@value #WORDS} words, as
 * long as a line of the processor's cache: with thousands of strata each draw meets another record. {@code laneAt} counts the rank's own
 * lanes of the order.
 */
final class LaneCursor {
    static final int WORDS = 8;

    /** Number of the next draw. */
    static final int NEXT = 0;

    /** First draw of the record's cycle and of the cycle after it: the rest of the record holds for draws between them. */
    static final int FIRST = 1;

    static final int END = 2;

    /** The number of the lane's rows in the cycle if a grid shuffles them; 0 in list order, or if a table has their positions. */
    static final int COUNT = 3;

    static final int KEY = 4;
    static final int GRID_ROWS = 5;
    static final int GRID_COLUMNS = 6;

    /** List index of the lane's shared row in the cycle, if it has one. */
    static final int SHARED = 7;

    /** Records beyond this number have no tables: 64 bytes each would be too many. */
    private static final int MAX_TABLES = 1 << 18;

    private static final byte[] NO_TABLE = {};

    final long[] state;

    /** The shuffled positions of each record's cycle if it has too few for a grid; empty before a cycle and if it is in list order. */
    private final byte[][] table;

    private final Cycles cycles;
    private final int rank;
    private final int world;
    private final int strata;
    private final int lanes;

    /** The number of the first record of each stratum among those of a lane of the order, and after the last one their count. */
    private final int[] first;

    /** By lane and stratum the stored lane from which the next draw comes, as a number among those of the lane; empty if all have one. */
    private final int[] turn;

    private final boolean tables;
    private final int[] images = new int[Permutation.SHUFFLE_BELOW];
    private long epoch;

    LaneCursor(TrainFeed order, Cycles cycles, int rank, int world) {
        this.cycles = cycles;
        this.rank = rank;
        this.world = world;
        this.strata = order.strata().size();
        this.lanes = order.lanes() / world;
        this.first = new int[strata + 1];
        for (int s = 0; s < strata; s++) {
            first[s + 1] = first[s] + cycles.lanes(s) / order.lanes();
        }
        this.turn = new int[first[strata] == strata ? 0 : lanes * strata];
        int records = lanes * first[strata];
        this.state = new long[records * WORDS];
        this.tables = records <= MAX_TABLES;
        this.table = new byte[tables ? records : 0][];
        Arrays.fill(table, NO_TABLE);
    }

    /** Whether every stratum has one stored lane for each lane of the order. */
    boolean oneRecordPerLane() {
        return turn.length == 0;
    }

    /** Returns from which of a lane's stored lanes the next draw comes, and moves on to the one after it. */
    int takeTurn(int laneAt, int stratum) {
        int at = laneAt * strata + stratum;
        int taken = turn[at];
        turn[at] = taken + 1 == first[stratum + 1] - first[stratum] ? 0 : taken + 1;
        return taken;
    }

    /** The number of a record. */
    int record(int laneAt, int stratum, int storedLane) {
        return laneAt * first[strata] + first[stratum] + storedLane;
    }

    /** Sets every record to where it is before a global step. */
    void seek(Comb comb, long step) {
        epoch = comb.number;
        long[] drawn = new long[strata];
        for (int laneAt = 0; laneAt < lanes; laneAt++) {
            comb.drawnAll(rank + laneAt * world, step, drawn, 0);
            for (int s = 0; s < strata; s++) {
                int stored = first[s + 1] - first[s];
                for (int j = 0; j < stored; j++) {
                    int at = record(laneAt, s, j) * WORDS;
                    state[at + NEXT] = (drawn[s] - j + stored - 1) / stored;
                    state[at + FIRST] = 0;
                    state[at + END] = 0;
                }
                if (turn.length > 0) {
                    turn[laneAt * strata + s] = (int) (drawn[s] % stored);
                }
            }
        }
    }

    /** Brings the cycle of a record, which is that of a stored lane, up to its next draw. */
    void enterCycle(int record, int stratum, int lane) {
        int at = record * WORDS;
        long cycle = cycles.cycle(stratum, lane, state[at + NEXT]);
        state[at + FIRST] = cycles.firstDraw(stratum, lane, cycle);
        state[at + END] = cycles.firstDraw(stratum, lane, cycle + 1);
        long count = state[at + END] - state[at + FIRST];
        state[at + COUNT] = 0;
        byte[] positions = NO_TABLE;
        if (count > 1 && cycles.shuffled(stratum, cycle, epoch)) {
            long key = cycles.laneKey(stratum, lane, cycle, epoch);
            state[at + KEY] = key;
            if (count < Permutation.SHUFFLE_BELOW && tables) {
                positions = shuffledPositions(table[record], (int) count, key);
            } else {
                state[at + COUNT] = count;
            }
            if (count >= Permutation.SHUFFLE_BELOW) {
                state[at + GRID_ROWS] = Permutation.gridRows(count);
                state[at + GRID_COLUMNS] = Permutation.gridColumns(count, state[at + GRID_ROWS]);
            }
        }
        if (tables) {
            table[record] = positions; // a cycle never keeps the table of the cycle before it
        }
        if (count > cycles.ownRows(stratum)) {
            state[at + SHARED] = cycles.sharedRow(stratum, cycles.turn(stratum, lane, cycle), cycle, epoch);
        }
    }

    /** The shuffled positions of a record's cycle; empty where they are to be computed one by one. */
    byte[] table(int record) {
        return tables ? table[record] : NO_TABLE;
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
