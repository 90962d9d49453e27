package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.TrainFeed;
import java.util.Arrays;

/** The slot for each position of a rank's batch. Slot x is tooth {@code x div k} of the rank's lane {@code x mod k}. */
final class BatchSequence {
    private final long seed;
    private final int rank;
    private final int world;
    private final boolean planned;
    private final int[] slots;

    private int rows;
    private long gridRows;
    private long gridColumns;

    BatchSequence(TrainFeed order, int rank, int world) {
        this.seed = order.seed();
        this.rank = rank;
        this.world = world;
        this.planned = order.order() == RowOrder.PLANNED;
        this.slots = new int[order.batch() / world];
        Arrays.setAll(slots, i -> i);
    }

    /** @param batch rows of the rank's batch of this step */
    void arrange(long step, int batch) {
        if (planned) {
            return;
        }
        if (batch != rows) {
            rows = batch;
            gridRows = Permutation.gridRows(rows);
            gridColumns = Permutation.gridColumns(rows, gridRows);
        }
        long stepKey = Mix.append(Mix.append(Mix.append(Mix.append(seed, 4), step), rank), world);
        if (rows < Permutation.SHUFFLE_BELOW) {
            Permutation.shuffle(stepKey, slots, rows);
        } else {
            Permutation.walkRange(rows, gridRows, gridColumns, stepKey, slots);
        }
    }

    int slot(int batchIndex) {
        return slots[batchIndex];
    }
}
