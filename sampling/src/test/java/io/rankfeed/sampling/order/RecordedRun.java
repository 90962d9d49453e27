package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.TrainFeed;

/** Every row of a run at one world size, in flat arrays: batch by batch, in each batch rank by rank. */
public final class RecordedRun {
    public final TrainFeed order;
    public final int world;
    public final int rowsPerRank;
    public final int[] stratum;
    public final long[] index;
    public final int[] lane;
    public final long[] ordinal;

    public RecordedRun(TrainFeed order, int world) {
        this.order = order;
        this.world = world;
        this.rowsPerRank = order.batch() / world;
        int rows = Math.toIntExact(order.steps() * order.batch());
        this.stratum = new int[rows];
        this.index = new long[rows];
        this.lane = new int[rows];
        this.ordinal = new long[rows];
        BatchRows batch = new BatchRows(rowsPerRank);
        for (int rank = 0; rank < world; rank++) {
            EpochOrder epochOrder = new EpochOrder(order, rank, world);
            for (int step = 0; step < order.steps(); step++) {
                epochOrder.fill(step, batch);
                int at = at(step, rank);
                for (int i = 0; i < batch.size(); i++) {
                    stratum[at + i] = batch.stratum(i);
                    index[at + i] = batch.index(i);
                    lane[at + i] = batch.lane(i);
                    ordinal[at + i] = batch.ordinal(i);
                }
            }
        }
    }

    public int at(int step, int rank) {
        return step * order.batch() + rank * rowsPerRank;
    }

    /** Rows of each stratum from one index of the arrays to another. */
    public int[] counts(int from, int to) {
        int[] counts = new int[order.strata().size()];
        for (int i = from; i < to; i++) {
            counts[stratum[i]]++;
        }
        return counts;
    }

    /** How often each row of the pools comes up from one step to another. */
    public int[][] visits(int fromStep, int toStep) {
        int[][] visits = new int[order.strata().size()][];
        for (int s = 0; s < visits.length; s++) {
            visits[s] = new int[Math.toIntExact(order.strata().get(s).rows())];
        }
        for (int i = fromStep * order.batch(); i < toStep * order.batch(); i++) {
            visits[stratum[i]][(int) index[i]]++;
        }
        return visits;
    }
}
