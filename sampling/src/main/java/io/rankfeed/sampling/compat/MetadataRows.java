package io.rankfeed.sampling.compat;

import java.util.BitSet;

/** The rows of a JSON lines file as weighted-mtp's metadata JSON describes them, in the order of the lines. */
public final class MetadataRows {
    private final boolean hasIsCorrect;
    private final boolean hasDifficulty;
    private final BitSet correct;
    private final double[] difficulty;

    /**
     * @param hasIsCorrect whether the first row has the key, by which the sampler judges all of them
     * @param hasDifficulty whether the first row has a difficulty, which counts for all rows
     * @param correct rows that are right
     * @param difficulty by row; not a number where it has none
     * @throws IllegalArgumentException if there is no row
     */
    public MetadataRows(boolean hasIsCorrect, boolean hasDifficulty, BitSet correct, double[] difficulty) {
        if (difficulty.length == 0) {
            throw new IllegalArgumentException("there is no row to draw from");
        }
        this.hasIsCorrect = hasIsCorrect;
        this.hasDifficulty = hasDifficulty;
        this.correct = (BitSet) correct.clone();
        this.difficulty = difficulty.clone();
    }

    boolean hasIsCorrect() {
        return hasIsCorrect;
    }

    boolean hasDifficulty() {
        return hasDifficulty;
    }

    int count() {
        return difficulty.length;
    }

    boolean isCorrect(int row) {
        return correct.get(row);
    }

    double difficulty(int row) {
        return difficulty[row];
    }
}
