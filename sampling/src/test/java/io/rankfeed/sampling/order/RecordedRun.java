package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.TrainFeed;

/** Every row of a run at one world size, in flat arrays: batch by batch, in each batch rank by rank. */
public final class RecordedRun {
    public final TrainFeed order;
    public final int world;

    /** Rows of a rank's batch; of the largest one where the batch changes during the run. */
    public final int rowsPerRank;

    public final int[] stratum;
    public final long[] index;
    public final int[] lane;
    public final long[] ordinal;
    public final long[] cycle;

    /** The index at which each step begins, and after the last one their end. */
    private final int[] starts;

    public RecordedRun(TrainFeed order, int world) {
        this.order = order;
        this.world = world;
        this.rowsPerRank = order.batch() / world;
        this.starts = new int[Math.toIntExact(order.steps()) + 1];
        for (int step = 0; step < order.steps(); step++) {
            starts[step + 1] = Math.addExact(starts[step], order.batch(order.segmentAt(step)));
        }
        int rows = starts[starts.length - 1];
        this.stratum = new int[rows];
        this.index = new long[rows];
        this.lane = new int[rows];
        this.ordinal = new long[rows];
        this.cycle = new long[rows];
        BatchRows batch = BatchRows.withCycles(rowsPerRank);
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
                    cycle[at + i] = batch.cycle(i);
                }
            }
        }
    }

    public int at(int step, int rank) {
        return rank == 0 ? starts[step] : starts[step] + rank * ((starts[step + 1] - starts[step]) / world);
    }

    /** The index after the last row of a rank's batch. */
    public int end(int step, int rank) {
        return at(step, rank) + (starts[step + 1] - starts[step]) / world;
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
        for (int i = starts[fromStep]; i < starts[toStep]; i++) {
            visits[stratum[i]][(int) index[i]]++;
        }
        return visits;
    }
}
