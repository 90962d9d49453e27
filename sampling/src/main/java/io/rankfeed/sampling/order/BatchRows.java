package io.rankfeed.sampling.order;

/**
 * The rows of one rank's batch in order, made once and filled again for every step. Not safe for use by several threads at once.
 */
public final class BatchRows {
    final int[] stratum;
    final long[] index;
    final int[] lane;
    final long[] ordinal;
    /** The cycle of each row; empty if cycles are not asked for. */
    final long[] cycle;

    int size;

    /** @param capacity the maximum number of rows of a batch */
    public BatchRows(int capacity) {
        this(capacity, 0);
    }

    private BatchRows(int capacity, int cycles) {
        this.stratum = new int[capacity];
        this.index = new long[capacity];
        this.lane = new int[capacity];
        this.ordinal = new long[capacity];
        this.cycle = new long[cycles];
    }

    /** Rows that know their cycles too, which costs a division per row. */
    public static BatchRows withCycles(int capacity) {
        return new BatchRows(capacity, capacity);
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

    /**
     * The cycle in which the row is drawn: two draws of a row have different ones, at any world size. In padded feeds it is
     * {@code epoch · 2^32 + cycle of the epoch}, in sequential feeds 0.
     */
    public long cycle(int i) {
        return cycle[i];
    }

    /** Whether {@link #cycle} may be asked. */
    public boolean hasCycles() {
        return cycle.length > 0;
    }

    void set(int i, int rowStratum, long rowIndex, int rowLane, long rowOrdinal) {
        stratum[i] = rowStratum;
        index[i] = rowIndex;
        lane[i] = rowLane;
        ordinal[i] = rowOrdinal;
    }
}
