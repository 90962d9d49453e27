package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.sampling.order.BatchRows;

/** Where the rows of the current batch are: per row its block and its row in that block. */
final class BatchPlaces {
    final int[] block;
    final int[] row;

    BatchPlaces(int rows) {
        block = new int[rows];
        row = new int[rows];
    }

    void locate(BatchRows rows, LaneCache cache) {
        int batchRows = cache.batchRows();
        for (int i = 0; i < rows.size(); i++) {
            long ordinal = rows.ordinal(i);
            long blockInLane = ordinal / batchRows;
            block[i] = cache.firstBlock(rows.lane(i)) + (int) blockInLane;
            row[i] = (int) (ordinal - blockInLane * batchRows);
        }
    }
}
