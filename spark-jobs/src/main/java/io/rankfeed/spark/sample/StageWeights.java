package io.rankfeed.spark.sample;

import io.rankfeed.sampling.Margin;
import io.rankfeed.sampling.OrderWishes;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.job.FeedSection;
import io.rankfeed.spark.job.Stage;
import io.rankfeed.spark.source.Refusals;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Turns a feed's weights, of whole strata or of one column's values, its {@code balance}, margins, floors and caps into
 * weights, margins and bounds of strata (docs/job-file.md). An equal share among a column's values is the same factor for all strata, so balance adds no
 * number; it holds exactly if every combination of values that gets a weight occurs, which is checked.
 */
final class StageWeights {
    /** More than any table's strata; keeps products in range. */
    private static final long MOST_COMBINATIONS = 1L << 40;

    private final String feed;
    private final FeedSection section;
    private final List<CountedStratum> strata;
    /** Per strata column the values or bins that occur, sorted. */
    private final List<Set<String>> values;

    private final Set<String> names = new TreeSet<>();

    private StageWeights(String feed, FeedSection section, List<CountedStratum> strata) {
        this.feed = feed;
        this.section = section;
        this.strata = strata;
        this.values = IntStream.range(0, section.strata().size())
                .mapToObj(i -> (Set<String>) new TreeSet<>(
                        strata.stream().map(stratum -> stratum.parts().get(i)).toList()))
                .toList();
        strata.forEach(stratum -> names.add(stratum.name()));
    }

    /**
     * The stages as the planner takes them; none where nothing is weighed.
     *
     * @throws ConfigException if a weight names nothing that occurs, or the weights contradict each other or the table
     */
    static List<OrderWishes.Stage> of(String feed, FeedSection section, List<CountedStratum> strata) {
        StageWeights weights = new StageWeights(feed, section, strata);
        List<Stage> stages = section.allStages();
        List<OrderWishes.Stage> result = new ArrayList<>();
        Refusals refusals = new Refusals();
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            String where = "feed '" + feed + "'" + (stages.size() > 1 ? ", stage " + (i + 1) : "");
            refusals.of(() -> weights.ofStage(where, stage)).ifPresent(result::add);
        }
        refusals.throwIfAny();
        return result;
    }

    private OrderWishes.Stage ofStage(String where, Stage stage) {
        Map<String, Map<String, BigDecimal>> given = stage.margins().orElse(Map.of());
        List<Margin> margins = new ArrayList<>();
        if (!given.isEmpty()) {
            for (int i = 0; i < section.strata().size(); i++) {
                String column = section.strata().get(i).column();
                if (given.containsKey(column)) {
                    margins.add(margin(i, given.get(column)));
                } else if (section.balance().contains(column)) {
                    margins.add(margin(
                            i,
                            values.get(i).stream().collect(Collectors.toMap(value -> value, value -> BigDecimal.ONE))));
                }
            }
        }
        Map<String, BigDecimal> shares = margins.isEmpty()
                ? weighed(where, stage.weights())
                : besideMargins(where, stage.weights(), given.keySet());
        return new OrderWishes.Stage(stage.until(), shares, margins, bounds(stage));
    }

    private Margin margin(int column, Map<String, BigDecimal> shares) {
        return new Margin(
                section.strata().get(column).column(),
                strata.stream().collect(Collectors.toMap(CountedStratum::name, stratum -> stratum.parts()
                        .get(column))),
                shares);
    }

    private static Map<String, OrderWishes.Bounds> bounds(Stage stage) {
        Map<String, BigDecimal> floors = stage.floors().orElse(Map.of());
        Map<String, BigDecimal> caps = stage.caps().orElse(Map.of());
        Set<String> bounded = new TreeSet<>(floors.keySet());
        bounded.addAll(caps.keySet());
        return bounded.stream()
                .collect(Collectors.toMap(
                        name -> name,
                        name -> new OrderWishes.Bounds(
                                floors.getOrDefault(name, BigDecimal.ZERO), caps.getOrDefault(name, BigDecimal.ONE))));
    }

    /** What the margins leave open is shared by these: of strata without rows too, which get none. */
    private Map<String, BigDecimal> besideMargins(String where, Map<String, BigDecimal> given, Set<String> margins) {
        if (given.isEmpty()) {
            return given;
        }
        int column = columnOf(where, given);
        if (column < 0) {
            return given;
        }
        String name = section.strata().get(column).column();
        if (margins.contains(name) || section.balance().contains(name)) {
            throw new ConfigException(where + ": '" + name + "' has weights and "
                    + (margins.contains(name) ? "a margin" : "stands in balance")
                    + ", which settles its shares; leave one of them out");
        }
        return ofValues(column, given);
    }

    private Map<String, BigDecimal> ofValues(int column, Map<String, BigDecimal> given) {
        Map<String, BigDecimal> weights = new LinkedHashMap<>();
        for (CountedStratum stratum : strata) {
            weights.put(stratum.name(), given.getOrDefault(stratum.parts().get(column), BigDecimal.ZERO));
        }
        return weights;
    }

    private Map<String, BigDecimal> weighed(String where, Map<String, BigDecimal> given) {
        if (given.isEmpty()) {
            checkCombinations(where, -1, given);
            return strata.stream().collect(Collectors.toMap(CountedStratum::name, stratum -> BigDecimal.ONE));
        }
        int column = columnOf(where, given);
        if (column < 0) {
            if (!section.balance().isEmpty()) {
                throw new ConfigException(where + ": weights of whole strata and balance " + section.balance()
                        + " contradict each other; weigh one column's values, or leave balance out");
            }
            return given;
        }
        String name = section.strata().get(column).column();
        if (section.balance().contains(name)) {
            throw new ConfigException(where + ": '" + name + "' has weights and stands in balance, which gives its"
                    + " values equal shares; leave one of them out");
        }
        checkCombinations(where, column, given);
        return ofValues(column, given);
    }

    /** The strata column whose values the weights name; −1 where they name whole strata. */
    private int columnOf(String where, Map<String, BigDecimal> given) {
        List<Integer> columns = IntStream.range(0, values.size())
                .filter(i -> values.get(i).containsAll(given.keySet()))
                .boxed()
                .toList();
        if (columns.size() == 1) {
            return columns.get(0);
        }
        if (columns.size() > 1) {
            throw new ConfigException(where + ": weights " + given.keySet() + " name values of '"
                    + section.strata().get(columns.get(0)).column() + "' and of '"
                    + section.strata().get(columns.get(1)).column() + "'; name whole strata, such as '"
                    + strata.get(0).name() + "'");
        }
        if (names.containsAll(given.keySet())) {
            return -1;
        }
        Set<String> known = new TreeSet<>(names);
        values.forEach(known::addAll);
        for (String name : given.keySet()) {
            if (!known.contains(name)) {
                throw new ConfigException(where + ": weight '" + name + "' names nothing that occurs"
                        + Suggestion.hint(name, List.copyOf(known)) + "; no row of the feed is in it");
            }
        }
        throw new ConfigException(where + ": weights " + given.keySet()
                + " mix values of several columns; weigh the values of exactly one, or whole strata");
    }

    /** Shares by column hold only if each combination of values that gets a weight has rows to give. */
    private void checkCombinations(String where, int weighed, Map<String, BigDecimal> given) {
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
            wanted = Math.min(wanted * some.size(), MOST_COMBINATIONS);
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
        throw new IllegalStateException("every combination of the feed '" + feed + "' occurs");
    }
}
