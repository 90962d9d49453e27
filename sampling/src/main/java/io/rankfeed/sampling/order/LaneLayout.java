package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;

/**
 * The location of a version's training rows (docs/format/plan.md, section 5.2): strata one after another in each stored lane, and the
 * last rows of each stratum, fewer than there are lanes, in one shared file. An ordinal counts rows of a lane or of the shared file from 0.
 */
public final class LaneLayout implements LaneAssignment {
    /** Stands for the shared file where a lane is expected. */
    public static final int SHARED = -1;

    private final int lanes;
    private final long[] ownRows;
    private final long[] laneOffset;
    private final long[] sharedOffset;

    /** @throws IllegalArgumentException if the order draws from several versions */
    public LaneLayout(TrainFeed order) {
        this(onlyMember(order).lanes(), order.strata());
    }

    private static Member onlyMember(TrainFeed order) {
        if (order.members().size() != 1) {
            throw new IllegalArgumentException(
                    "feed '" + order.name() + "' has " + order.members().size() + " members, each with its own lanes");
        }
        return order.members().get(0);
    }

    /** @param lanes the stored ones */
    public LaneLayout(int lanes, List<Stratum> strata) {
        if (lanes < 1) {
            throw new IllegalArgumentException("lanes " + lanes + " must be positive");
        }
        this.lanes = lanes;
        this.ownRows = new long[strata.size()];
        this.laneOffset = new long[strata.size() + 1];
        this.sharedOffset = new long[strata.size() + 1];
        for (int s = 0; s < ownRows.length; s++) {
            long rows = strata.get(s).rows();
            ownRows[s] = rows / lanes;
            laneOffset[s + 1] = laneOffset[s] + rows / lanes;
            sharedOffset[s + 1] = sharedOffset[s] + rows % lanes;
        }
    }

    /** Rows of every lane. */
    public long laneRows() {
        return laneOffset[ownRows.length];
    }

    /** Rows of the shared file; 0 means that there is none. */
    public long sharedRows() {
        return sharedOffset[ownRows.length];
    }

    @Override
    public long laneRows(int lane) {
        return lane == SHARED ? sharedRows() : laneRows();
    }

    /** Ordinal of a stratum's first row in every lane. */
    public long laneOffset(int stratum) {
        return laneOffset[stratum];
    }

    /** Ordinal of a stratum's first row in the shared file. */
    long sharedOffset(int stratum) {
        return sharedOffset[stratum];
    }

    @Override
    public int lane(int stratum, long index) {
        return index < ownRows[stratum] * lanes ? (int) (index % lanes) : SHARED;
    }

    @Override
    public long ordinal(int stratum, long index) {
        long own = ownRows[stratum] * lanes;
        return index < own ? laneOffset[stratum] + index / lanes : sharedOffset[stratum] + (index - own);
    }

    /** The stratum of a row of a lane, or of the shared file where {@code lane} is {@link #SHARED}. */
    public int stratumAt(int lane, long ordinal) {
        long[] offsets = lane == SHARED ? sharedOffset : laneOffset;
        if (ordinal < 0 || ordinal >= offsets[ownRows.length]) {
            throw new IndexOutOfBoundsException("ordinal " + ordinal + " of " + offsets[ownRows.length] + " rows");
        }
        int low = 0;
        int high = ownRows.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ordinal < offsets[middle + 1]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The list index of a row of a lane, or of the shared file where {@code lane} is {@link #SHARED}. */
    public long indexAt(int lane, long ordinal) {
        int stratum = stratumAt(lane, ordinal);
        if (lane == SHARED) {
            return ownRows[stratum] * lanes + (ordinal - sharedOffset[stratum]);
        }
        return (ordinal - laneOffset[stratum]) * lanes + lane;
    }
}
