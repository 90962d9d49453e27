package io.rankfeed.sampling.plan.quota;

import java.util.List;

/** A column of a margin problem, with the number of units that each of its values is to have. */
final class MarginColumn {
    private final String name;
    private final List<String> values;
    private final long[] targets;
    private final int[] valueOf;

    /**
     * @param targets units of each value; the same sum in every column
     * @param valueOf the value of each stratum, by number
     */
    MarginColumn(String name, List<String> values, long[] targets, int[] valueOf) {
        this.name = name;
        this.values = List.copyOf(values);
        this.targets = targets;
        this.valueOf = valueOf;
    }

    String name() {
        return name;
    }

    List<String> values() {
        return values;
    }

    long[] targets() {
        return targets;
    }

    int[] valueOf() {
        return valueOf;
    }

    /** The strata of each value. */
    int[][] strata() {
        int[] counts = new int[targets.length];
        for (int value : valueOf) {
            counts[value]++;
        }
        int[][] strata = new int[targets.length][];
        for (int v = 0; v < strata.length; v++) {
            strata[v] = new int[counts[v]];
        }
        for (int s = valueOf.length - 1; s >= 0; s--) {
            strata[valueOf[s]][--counts[valueOf[s]]] = s;
        }
        return strata;
    }
}
