package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowCycles;

/**
 * The rows of a stratum as a version stores them, by number of draw (docs/format/order-2.md, section 3). The order's lanes divide the
 * stored lanes, so a rank draws from its own stored lanes and the shared rows alone.
 *
 * @param seed of the order
 * @param stratum its number in the order
 * @param rows n, the rows that the version has of it
 * @param storedLanes U
 * @param lanes V
 */
record StoredPool(long seed, int stratum, long rows, int storedLanes, int lanes, RowCycles cycles, EpochMode mode) {
    private static final int LANE = 1;
    private static final int SHARED = 2;
    private static final int LANE_OF_PASS = 8;
    private static final int SHARED_OF_PASS = 9;

    StoredPool {
        if (rows < 1 || lanes < 1 || storedLanes % lanes != 0) {
            throw new IllegalArgumentException(
                    rows + " rows in " + storedLanes + " lanes cannot be drawn by " + lanes + " lanes");
        }
    }

    /** Rows of the list that each stored lane owns. */
    private long own() {
        return rows / storedLanes;
    }

    /**
     * The list index of a draw.
     *
     * @param quota of the stratum in the segment; the draws of a lane in an epoch where the mode is {@link EpochMode#PASS}
     * @param segment its number, which is the epoch but in {@link EpochMode#STREAM}
     * @param lane of the order
     * @param draw its number in the lane
     */
    long row(long quota, long segment, int lane, long draw) {
        long number = (mode == EpochMode.PASS ? drawOfPass(quota, segment, lane, draw) : draw) * lanes + lane;
        int at = (int) (number % storedLanes);
        long cycle = number / rows;
        int turn = (int) Math.floorMod(at - cycle * rows, (long) storedLanes);
        long first = Math.floorDiv(cycle * rows - at + storedLanes - 1, storedLanes);
        long place = number / storedLanes - first;
        long shared = rows % storedLanes;
        if (mode == EpochMode.PASS) {
            if (cycles == RowCycles.SHUFFLED && place < own()) {
                place = Permutation.at(own(), Mix.key(seed, LANE_OF_PASS, stratum, at), place);
            } else if (cycles == RowCycles.SHUFFLED) {
                turn = (int) Permutation.at(shared, Mix.key(seed, SHARED_OF_PASS, stratum), turn);
            }
        } else if (shuffled(cycle > 0 || (mode == EpochMode.PADDED && segment > 0))) {
            long count = own() + (turn < shared ? 1 : 0);
            place = Permutation.at(count, epochKey(Mix.key(seed, LANE, stratum, at, cycle), segment), place);
            if (place >= own()) {
                turn = (int) Permutation.at(shared, epochKey(Mix.key(seed, SHARED, stratum, cycle), segment), turn);
            }
        }
        return place < own() ? place * storedLanes + at : own() * storedLanes + turn;
    }

    /** Draws run on over the epochs of a pass, so that the rows that an epoch leaves out move on; an epoch shuffles its own draws. */
    private long drawOfPass(long quota, long epoch, int lane, long draw) {
        long place = draw - epoch * quota;
        if (shuffled(epoch > 0)) {
            place = Permutation.at(quota, Mix.key(seed, LANE, stratum, lane, epoch), place);
        }
        return cycles == RowCycles.LIST ? place : epoch * quota + place;
    }

    private boolean shuffled(boolean later) {
        return cycles == RowCycles.SHUFFLED || (cycles == RowCycles.LIST_FIRST && later);
    }

    private long epochKey(long key, long epoch) {
        return mode == EpochMode.PADDED ? Mix.append(key, epoch) : key;
    }
}
