package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.OrderLimits;
import io.rankfeed.schema.order.SequentialFeed;

/**
 * The order of a validation feed (docs/format/plan.md, section 7): every row of one list once, in list order, the same number of
 * steps on every rank, the last batch short or empty where it must be.
 *
 * @param lanes V, the virtual ranks
 * @param batch G, rows of a full global batch, a multiple of {@code lanes}
 * @param rows rows of the list
 */
public record SequentialOrder(int lanes, int batch, long rows) implements LaneAssignment {
    public static SequentialOrder of(SequentialFeed feed) {
        return new SequentialOrder(feed.lanes(), feed.batch(), feed.rows());
    }

    public SequentialOrder {
        if (lanes < 1
                || lanes > OrderLimits.MAX_LANES
                || batch < 1
                || batch > OrderLimits.MAX_BATCH
                || batch % lanes != 0) {
            throw new IllegalArgumentException("batch " + batch + " must be a multiple of lanes " + lanes + ", at most "
                    + OrderLimits.MAX_BATCH + ", with at most " + OrderLimits.MAX_LANES + " lanes");
        }
        if (rows < 0 || rows > Long.MAX_VALUE - batch) {
            throw new IllegalArgumentException("rows " + rows + " must not be negative, nor within a batch of 2^63");
        }
    }

    /** Steps of every rank. */
    public long steps() {
        return (rows + batch - 1) / batch;
    }

    /** Rows of a rank's batch: batch / world, fewer only in the last step. */
    public int validRows(long step, int rank, int world) {
        Worlds.check(lanes, rank, world);
        if (step < 0 || step >= steps()) {
            throw new IndexOutOfBoundsException("step " + step + " of " + steps());
        }
        long ahead = Math.min(rows - step * batch, batch) - rank;
        return ahead <= 0 ? 0 : (int) ((ahead + world - 1) / world);
    }

    /** The list index at an index of a rank's batch, for 0 &lt;= batchIndex &lt; {@link #validRows}. */
    public long index(long step, int rank, int world, int batchIndex) {
        return step * batch + rank + (long) batchIndex * world;
    }

    @Override
    public int lane(int stratum, long index) {
        return (int) (index % lanes);
    }

    @Override
    public long ordinal(int stratum, long index) {
        return index / lanes;
    }

    /** Rows of a lane; lanes may differ by one, and there is no shared file. */
    @Override
    public long laneRows(int lane) {
        return lane == LaneLayout.SHARED || rows <= lane ? 0 : (rows - lane + lanes - 1) / lanes;
    }

    /** Fills a rank's batch, whose rows are all of stratum 0. */
    public void fill(long step, int rank, int world, BatchRows out) {
        int valid = validRows(step, rank, world);
        for (int i = 0; i < valid; i++) {
            long index = index(step, rank, world, i);
            out.set(i, 0, index, lane(0, index), ordinal(0, index));
            if (out.hasCycles()) {
                out.cycle[i] = 0;
            }
        }
        out.size = valid;
    }
}
