package io.rankfeed.job.plan;

import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Shares by column hold only if each combination of values that gets a weight has rows to give.
 *
 * @param values per strata column those that occur
 */
record Combinations(String where, List<CountedStratum> strata, List<Set<String>> values) {
    /** An upper bound on the strata of any table; keeps products in range. */
    private static final long MAX_COMBINATIONS = 1L << 40;

    /**
     * @param weighed the column whose values have weights; −1 for none
     * @throws ConfigException naming a combination without rows
     */
    void check(int weighed, Map<String, BigDecimal> given) {
        long wanted = 1;
        List<Set<String>> needed = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            int column = i;
            Set<String> some = column != weighed
                    ? values.get(i)
                    : values.get(i).stream()
                            .filter(value ->
                                    given.getOrDefault(value, BigDecimal.ZERO).signum() > 0)
                            .collect(Collectors.toCollection(TreeSet::new));
            needed.add(some);
            wanted = Math.min(wanted * some.size(), MAX_COMBINATIONS);
        }
        long present = strata.stream()
                .filter(stratum -> IntStream.range(0, needed.size())
                        .allMatch(i -> needed.get(i).contains(stratum.parts().get(i))))
                .count();
        if (present < wanted) {
            throw new ConfigException(where + ": the shares contradict the table: stratum '" + firstAbsent(needed)
                    + "' would get a weight, but 0 rows are available; give whole strata weights, or merge values by"
                    + " the job's SQL or bins");
        }
    }

    private String firstAbsent(List<Set<String>> needed) {
        List<String> combinations = List.of("");
        for (int i = 0; i < needed.size(); i++) {
            String separator = i == 0 ? "" : "/";
            Set<String> prefixes = new TreeSet<>();
            int depth = i + 1;
            strata.forEach(
                    stratum -> prefixes.add(String.join("/", stratum.parts().subList(0, depth))));
            List<String> longer = new ArrayList<>();
            for (String prefix : combinations) {
                for (String value : needed.get(i)) {
                    String combination = prefix + separator + value;
                    if (!prefixes.contains(combination)) {
                        return combination + (depth < needed.size() ? "/…" : "");
                    }
                    longer.add(combination);
                }
            }
            combinations = longer;
        }
        throw new IllegalStateException(where + ": every combination occurs");
    }
}
