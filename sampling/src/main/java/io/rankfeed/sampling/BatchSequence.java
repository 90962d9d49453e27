package io.rankfeed.sampling;

import java.util.Arrays;

/** Which slot of a rank's lanes stands at each place of its batch: slot x is tooth {@code x div k} of its lane {@code x mod k}. */
final class BatchSequence {
    private final long seed;
    private final int rank;
    private final int world;
    private final boolean planned;
    private final int[] slots;

    /** Columns for {@link Permutation#walkAll}, of which only the slots and the key change from step to step. */
    private final long[] images;

    private final long[] count;
    private final long[] gridRows;
    private final long[] gridColumns;
    private final long[] key;

    BatchSequence(Order order, int rank, int world) {
        this.seed = order.seed();
        this.rank = rank;
        this.world = world;
        this.planned = order.order() == RowOrder.PLANNED;
        int rows = order.batch() / world;
        this.slots = new int[rows];
        this.images = new long[rows];
        this.count = new long[rows];
        this.gridRows = new long[rows];
        this.gridColumns = new long[rows];
        this.key = new long[rows];
        long grid = Permutation.gridRows(rows);
        Arrays.fill(count, rows);
        Arrays.fill(gridRows, grid);
        Arrays.fill(gridColumns, Permutation.gridColumns(rows, grid));
        Arrays.setAll(slots, i -> i);
    }

    void arrange(long step) {
        if (planned) {
            return;
        }
        long stepKey = Mix.append(Mix.append(Mix.append(Mix.append(seed, 4), step), rank), world);
        if (slots.length < Permutation.SHUFFLE_BELOW) {
            Permutation.shuffle(stepKey, slots);
            return;
        }
        Arrays.fill(key, stepKey);
        for (int i = 0; i < images.length; i++) {
            images[i] = i;
        }
        Permutation.walkAll(images.length, images, count, gridRows, gridColumns, key);
    }

    int slot(int place) {
        return planned || slots.length < Permutation.SHUFFLE_BELOW ? slots[place] : (int) images[place];
    }
}
