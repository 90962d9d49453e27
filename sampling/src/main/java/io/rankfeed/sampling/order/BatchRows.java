package io.rankfeed.sampling.order;

/**
 * The rows of one rank's batch in order, made once and filled again for every step. Not safe for use by several threads at once.
 */
public final class BatchRows {
    final int[] stratum;
    final long[] index;
    final int[] lane;
    final long[] ordinal;
    int size;

    /** @param capacity the most rows that a batch can have */
    public BatchRows(int capacity) {
        this.stratum = new int[capacity];
        this.index = new long[capacity];
        this.lane = new int[capacity];
        this.ordinal = new long[capacity];
    }

    public int capacity() {
        return stratum.length;
    }

    /** Rows of the last fill. */
    public int size() {
        return size;
    }

    /** The row's stratum. */
    public int stratum(int i) {
        return stratum[i];
    }

    /** The row's index in its stratum's list. */
    public long index(int i) {
        return index[i];
    }

    /** The lane in which the row is, or {@link LaneLayout#SHARED}. */
    public int lane(int i) {
        return lane[i];
    }

    /** The row's ordinal in that lane, over all strata, or in the shared file. */
    public long ordinal(int i) {
        return ordinal[i];
    }

    void set(int i, int rowStratum, long rowIndex, int rowLane, long rowOrdinal) {
        stratum[i] = rowStratum;
        index[i] = rowIndex;
        lane[i] = rowLane;
        ordinal[i] = rowOrdinal;
    }
}
