package io.rankfeed.sampling;

import java.util.Arrays;

/**
 * The running state of the lanes of one rank: per (lane, stratum) the number of the next draw and the cycle it lies in. A slot
 * is {@code laneAt * strata + stratum}, where {@code laneAt} counts the rank's own lanes.
 */
final class LaneCursor {
    private final Cycles cycles;
    private final int rank;
    private final int world;
    private final int strata;
    private final int lanes;
    private long epoch;

    /** Number of the next draw. */
    final long[] next;

    /** First draw of the slot's cycle and of the cycle after it: the rest of a slot's state holds for draws between them. */
    final long[] first;

    final long[] end;

    /** Key of the lane's places in the cycle, and how many there are; 0 places stands for a cycle in list order. */
    final long[] key;

    final long[] places;

    /** List index of the lane's shared row in the cycle, if it has one. */
    final long[] shared;

    LaneCursor(Order order, Cycles cycles, int rank, int world) {
        this.cycles = cycles;
        this.rank = rank;
        this.world = world;
        this.strata = order.strata().size();
        this.lanes = order.lanes() / world;
        int slots = lanes * strata;
        this.next = new long[slots];
        this.first = new long[slots];
        this.end = new long[slots];
        this.key = new long[slots];
        this.places = new long[slots];
        this.shared = new long[slots];
    }

    /** Sets every slot to where it stands before a global step. */
    void seek(Comb comb, long step) {
        epoch = comb.number;
        for (int laneAt = 0; laneAt < lanes; laneAt++) {
            comb.drawnAll(rank + laneAt * world, step, next, laneAt * strata);
        }
        Arrays.fill(first, 0);
        Arrays.fill(end, 0);
    }

    /** Brings the cycle of a slot up to its next draw. */
    void enterCycle(int slot) {
        int stratum = slot % strata;
        int lane = rank + slot / strata * world;
        long cycle = cycles.cycle(stratum, lane, next[slot]);
        first[slot] = cycles.firstDraw(stratum, lane, cycle);
        end[slot] = cycles.firstDraw(stratum, lane, cycle + 1);
        long count = end[slot] - first[slot];
        if (cycles.shuffled(cycle, epoch)) {
            places[slot] = count;
            key[slot] = cycles.placesKey(stratum, lane, cycle, epoch);
        } else {
            places[slot] = 0;
        }
        if (count > cycles.ownRows(stratum)) {
            shared[slot] = cycles.sharedRow(stratum, cycles.turn(stratum, lane, cycle), cycle, epoch);
        }
    }
}
