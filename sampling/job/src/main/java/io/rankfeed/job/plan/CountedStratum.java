package io.rankfeed.job.plan;

import java.util.List;
import java.util.Set;

/**
 * A stratum that occurs in the table.
 *
 * @param name its parts joined by "/", and after them what stages take it where some do not
 * @param parts one value or bin per strata column
 * @param rows how many rows it has
 * @param stages from 0, those that take its rows; empty for all
 * @param shareRows rows by which strata divide a weight that they share
 */
public record CountedStratum(String name, List<String> parts, long rows, Set<Integer> stages, long shareRows) {
    /** The name of the only stratum of a feed without strata columns. */
    public static final String ALL = "all";

    private static final String REST = "rest";

    public CountedStratum {
        parts = List.copyOf(parts);
        stages = Set.copyOf(stages);
    }

    /** A stratum that shares weights by its own rows. */
    public CountedStratum(String name, List<String> parts, long rows, Set<Integer> stages) {
        this(name, parts, rows, stages, rows);
    }

    public CountedStratum(String name, List<String> parts, long rows) {
        this(name, parts, rows, Set.of());
    }

    /** The name as which a rare stratum is drawn, with others that the same stages take. */
    public static String rest(CountedStratum rare) {
        return rare.stages().isEmpty()
                ? REST
                : REST + rare.name().substring(rare.name().lastIndexOf('/'));
    }

    boolean isIn(int stage) {
        return stages.isEmpty() || stages.contains(stage);
    }
}
