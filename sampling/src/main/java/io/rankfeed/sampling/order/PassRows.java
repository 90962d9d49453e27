package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.TrainFeed;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a pass whose epochs leave out rows, or whose lists are shuffled (docs/format/plan.md, section 5.1). The places of an epoch
 * are the numbers from 0 to its rows: {@link Cycles} draws these as if they were the pool. The places of all epochs run on over the cycles
 * of the pool, and each cycle takes the rows of a stored lane in one fixed order: so the rows that an epoch leaves out move on.
 */
final class PassRows {
    private static final int LANE = 8;
    private static final int SHARED = 9;

    private final long places;
    private final long rows;
    private final int lanes;
    private final long own;
    private final boolean running;
    private final boolean shuffled;
    private final long laneKey;
    private final long sharedKey;
    private final long gridRows;
    private final long gridColumns;

    /** The shuffled positions of each stored lane where a lane has too few for a grid; empty until the lane is drawn. */
    private final byte[][] tables;

    private PassRows(TrainFeed order, long places) {
        Member member = order.members().get(0);
        this.places = places;
        this.rows = member.strata().get(0).rows();
        this.lanes = member.lanes();
        this.own = rows / lanes;
        this.running = member.cycles() != RowCycles.LIST;
        this.shuffled = member.cycles() == RowCycles.SHUFFLED;
        this.laneKey = Mix.key(order.seed(), LANE, 0);
        this.sharedKey = Mix.key(order.seed(), SHARED, 0);
        this.gridRows = Permutation.gridRows(own);
        this.gridColumns = Permutation.gridColumns(own, gridRows);
        this.tables = new byte[shuffled && own < Permutation.SHUFFLE_BELOW ? lanes : 0][0];
    }

    /** Null where a place is the row of the same number and in the same lane: in other modes, and as in every order of format 1. */
    static @Nullable PassRows of(TrainFeed order) {
        long places = (long) order.stepsPerEpoch() * order.batch();
        Member member = order.members().get(0);
        boolean same = member.lanes() == order.lanes()
                && (member.cycles() == RowCycles.LIST
                        || (member.cycles() == RowCycles.LIST_FIRST
                                && member.strata().get(0).rows() == places));
        return order.mode() != EpochMode.PASS || same ? null : new PassRows(order, places);
    }

    /** Where an epoch begins in the places of all epochs; with cycles in the order of the list every epoch is the first one again. */
    private long first(long epoch) {
        return running ? epoch * places : 0;
    }

    /** The list index of a place of an epoch. */
    long row(long epoch, long place) {
        long number = first(epoch) + place;
        long ofCycle = number % rows;
        long position = ofCycle / lanes;
        if (position >= own) {
            return sharedRow(ofCycle);
        }
        int lane = (int) (number % lanes);
        return (shuffled ? Permutation.at(own, key(lane), position) : position) * lanes + lane;
    }

    /** The cycle of a place of an epoch: that of the pool, or the epoch itself where each one is the same part of the list. */
    long cycle(long epoch, long place) {
        return running ? (first(epoch) + place) / rows : epoch;
    }

    /** The place of a row in an epoch; -1 if the epoch leaves it out. */
    long placeOf(long epoch, long index) {
        long first = first(epoch);
        for (long cycle = first / rows; cycle * rows < first + places; cycle++) {
            long place = cycle * rows + ofCycle(index, cycle) - first;
            if (place >= 0 && place < places) {
                return place;
            }
        }
        return -1;
    }

    /** The number of a row in a cycle. */
    private long ofCycle(long index, long cycle) {
        long shared = index - own * lanes;
        if (shared >= 0) {
            return own * lanes + (shuffled ? Permutation.indexOf(rows - own * lanes, sharedKey, shared) : shared);
        }
        int lane = (int) (index % lanes);
        long position = index / lanes;
        if (shuffled) {
            position = Permutation.indexOf(own, key(lane), position);
        }
        return position * lanes + Math.floorMod(lane - cycle * rows, (long) lanes);
    }

    /** Sets the stored lane, position in it, shared row and cycle of a slot that has drawn a place; the position may have to be walked. */
    void resolve(BatchSlots slots, int x, long epoch, long place) {
        long number = first(epoch) + place;
        long cycle = Permutation.quotient(number, rows);
        long ofCycle = number - cycle * rows;
        long position = Permutation.quotient(ofCycle, lanes);
        int lane = (int) (number - Permutation.quotient(number, lanes) * lanes);
        slots.lane[x] = lane;
        slots.draw[x] = running ? cycle : epoch;
        slots.count[x] = 0;
        if (position >= own) {
            slots.shared[x] = sharedRow(ofCycle);
        } else if (tables.length > 0) {
            position = table(lane)[(int) position];
        } else if (shuffled) {
            slots.count[x] = own;
            slots.key[x] = key(lane);
            slots.gridRows[x] = gridRows;
            slots.gridColumns[x] = gridColumns;
        }
        slots.position[x] = position;
    }

    /** The list index of the shared row at a number of a cycle. */
    private long sharedRow(long ofCycle) {
        long first = own * lanes;
        return shuffled ? first + Permutation.at(rows - first, sharedKey, ofCycle - first) : ofCycle;
    }

    private byte[] table(int lane) {
        if (tables[lane].length == 0) {
            int[] images = new int[(int) own];
            Permutation.shuffle(key(lane), images);
            tables[lane] = new byte[images.length];
            for (int i = 0; i < images.length; i++) {
                tables[lane][i] = (byte) images[i];
            }
        }
        return tables[lane];
    }

    private long key(int lane) {
        return Mix.append(laneKey, lane);
    }
}
