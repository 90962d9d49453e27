package io.rankfeed.feeder.batch;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.sampling.order.BatchRows;

/** The addresses of the rows of the current batch: for each row, the record batch (block) and the index of the row in it. */
final class BatchAddresses {
    final int[] block;
    final int[] row;

    /** The member of the feed that each row is from. */
    final int[] member;

    /** The cycle of each row; 0 if the batch has no cycles. */
    final long[] cycle;

    BatchAddresses(int rows) {
        block = new int[rows];
        row = new int[rows];
        member = new int[rows];
        cycle = new long[rows];
    }

    void locate(BatchRows rows, LaneCache cache) {
        for (int i = 0; i < rows.size(); i++) {
            int from = cache.member(rows.stratum(i));
            int batchRows = cache.batchRows(from);
            long ordinal = rows.ordinal(i);
            long blockInLane = ordinal / batchRows;
            member[i] = from;
            block[i] = cache.firstBlock(from, rows.lane(i)) + (int) blockInLane;
            row[i] = (int) (ordinal - blockInLane * batchRows);
        }
        if (rows.hasCycles()) {
            for (int i = 0; i < rows.size(); i++) {
                cycle[i] = rows.cycle(i);
            }
        }
    }
}
