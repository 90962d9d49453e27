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

    private final long gridRows;
    private final long gridColumns;

    BatchSequence(TrainFeed order, int rank, int world) {
        this.seed = order.seed();
        this.rank = rank;
        this.world = world;
        this.planned = order.order() == RowOrder.PLANNED;
        int rows = order.batch() / world;
        this.slots = new int[rows];
        this.gridRows = Permutation.gridRows(rows);
        this.gridColumns = Permutation.gridColumns(rows, gridRows);
        Arrays.setAll(slots, i -> i);
    }

    void arrange(long step) {
        if (planned) {
            return;
        }
        long stepKey = Mix.append(Mix.append(Mix.append(Mix.append(seed, 4), step), rank), world);
        if (slots.length < Permutation.SHUFFLE_BELOW) {
            Permutation.shuffle(stepKey, slots);
        } else {
            Permutation.walkRange(slots.length, gridRows, gridColumns, stepKey, slots);
        }
    }

    int slot(int batchIndex) {
        return slots[batchIndex];
    }
}
