package io.rankfeed.export.parquet;

import java.util.List;

/** Hashes what the levels of one column say of a group that has other columns too: how many there are, and which are null. */
final class SharedLevels {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final List<String> path;
    private final int maxRepetition;
    private final int maxDefinition;
    private long hash;

    SharedLevels(List<String> path, int maxRepetition, int maxDefinition) {
        this.path = path;
        this.maxRepetition = maxRepetition;
        this.maxDefinition = maxDefinition;
    }

    /** Adds the levels of the next values, which are alike. Those within one group, as of the items of a list in it, are ignored. */
    void add(int repetition, int definition, int count) {
        if (repetition <= maxRepetition) {
            long levels = ((long) repetition << Integer.SIZE) + Math.min(definition, maxDefinition) + 1;
            for (int i = 0; i < count; i++) {
                hash = Long.rotateLeft(hash ^ levels, 29) * FACTOR;
            }
        }
    }

    List<String> path() {
        return path;
    }

    long hash() {
        return hash;
    }
}
