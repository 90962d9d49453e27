package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.sampling.order.BatchRows;

/** The locations of the rows of the current batch: for each row, the block and the index of the row in this block. */
final class BatchPlaces {
    final int[] block;
    final int[] row;

    /** Cycle of each row; zeros where nobody asks for cycles. */
    final long[] cycle;

    BatchPlaces(int rows) {
        block = new int[rows];
        row = new int[rows];
        cycle = new long[rows];
    }

    void locate(BatchRows rows, LaneCache cache) {
        int batchRows = cache.batchRows();
        for (int i = 0; i < rows.size(); i++) {
            long ordinal = rows.ordinal(i);
            long blockInLane = ordinal / batchRows;
            block[i] = cache.firstBlock(rows.lane(i)) + (int) blockInLane;
            row[i] = (int) (ordinal - blockInLane * batchRows);
        }
        if (rows.hasCycles()) {
            for (int i = 0; i < rows.size(); i++) {
                cycle[i] = rows.cycle(i);
            }
        }
    }
}
