package io.rankfeed.job.plan;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.Stage;
import io.rankfeed.job.StrataColumn;
import io.rankfeed.sampling.plan.PlanRequest;
import io.rankfeed.sampling.plan.quota.Margin;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Turns a stage's weights, of whole strata or of one column's values, its {@code balance}, margins, floors and caps into
 * weights, margins and bounds of strata. An equal share among a column's values is the same factor for all strata, so balance
 * adds no number; it holds exactly if every combination of values that gets a weight occurs ({@link Combinations}). Strata
 * that differ in proportional columns alone, or in the stages that take them, are one group to all that: its weight is
 * parted by their rows.
 */
final class StageMix {
    /** Shares of a group are rounded to so many digits: an error under one row in any table. */
    private static final int SHARE_DIGITS = 40;

    private final String where;
    private final FeedSection section;
    private final Stage stage;
    private final List<CountedStratum> strata;
    /** The strata columns that are not proportional, by index. */
    private final List<Integer> free;
    /** The strata from which the stage takes rows, by the name of their group. */
    private final Map<String, List<CountedStratum>> members = new TreeMap<>();

    private final List<CountedStratum> groups = new ArrayList<>();
    /** The values or bins that occur in each free column, sorted. */
    private final List<Set<String>> values;

    private StageMix(String where, FeedSection section, List<CountedStratum> strata, int number) {
        this.where = where;
        this.section = section;
        this.stage = section.allStages().get(number);
        this.strata = strata;
        List<String> proportional = section.proportional().orElse(List.of());
        this.free = IntStream.range(0, section.strata().size())
                .filter(i -> !proportional.contains(section.strata().get(i).displayName()))
                .boxed()
                .toList();
        for (CountedStratum stratum : strata) {
            if (stratum.isIn(number)) {
                members.computeIfAbsent(group(stratum), name -> new ArrayList<>())
                        .add(stratum);
            }
        }
        members.forEach((name, of) -> groups.add(new CountedStratum(
                name,
                free.stream().map(of.get(0).parts()::get).toList(),
                of.stream().mapToLong(CountedStratum::rows).sum())));
        this.values = IntStream.range(0, free.size())
                .mapToObj(i -> (Set<String>) new TreeSet<>(
                        groups.stream().map(group -> group.parts().get(i)).toList()))
                .toList();
        if (groups.isEmpty()) {
            throw new ConfigException(
                    where + ": no row is taken by its where: " + stage.where().orElse("") + "; widen it");
        }
    }

    static StageMix of(String where, FeedSection section, List<CountedStratum> strata, int number) {
        return new StageMix(where, section, strata, number);
    }

    private String group(CountedStratum stratum) {
        return free.isEmpty()
                ? CountedStratum.ALL
                : free.stream().map(stratum.parts()::get).collect(Collectors.joining("/"));
    }

    PlanRequest.Stage toStage() {
        List<Margin> margins = margins();
        Map<String, BigDecimal> shares =
                margins.isEmpty() ? weighed(stage.weights()) : besideMargins(stage.weights(), margins);
        return new PlanRequest.Stage(
                stage.end(),
                parted(shares),
                margins,
                bounds(),
                stage.batch().map(OptionalInt::of).orElse(OptionalInt.empty()));
    }

    private List<Margin> margins() {
        Map<String, Map<String, BigDecimal>> given = stage.margins().orElse(Map.of());
        List<Margin> margins = new ArrayList<>();
        for (int i = 0; i < free.size() && !given.isEmpty(); i++) {
            String column = column(i).displayName();
            Map<String, BigDecimal> shares = given.get(column);
            if (shares == null && section.balance().contains(column)) {
                shares = values.get(i).stream().collect(Collectors.toMap(value -> value, value -> BigDecimal.ONE));
            }
            if (shares != null) {
                int at = free.get(i);
                Map<String, String> valueOf = strata.stream()
                        .collect(Collectors.toMap(
                                CountedStratum::name, stratum -> stratum.parts().get(at)));
                margins.add(new Margin(column, valueOf, shares));
            }
        }
        return margins;
    }

    private StrataColumn column(int i) {
        return section.strata().get(free.get(i));
    }

    private Map<String, PlanRequest.Bounds> bounds() {
        Map<String, BigDecimal> floors = stage.floors().orElse(Map.of());
        Map<String, BigDecimal> caps = stage.caps().orElse(Map.of());
        Set<String> bounded = new TreeSet<>(floors.keySet());
        bounded.addAll(caps.keySet());
        return bounded.stream()
                .collect(Collectors.toMap(
                        name -> name,
                        name -> new PlanRequest.Bounds(
                                floors.getOrDefault(name, BigDecimal.ZERO), caps.getOrDefault(name, BigDecimal.ONE))));
    }

    /** Divides each group's weight among its strata, in proportion to their rows; equally where it has none. */
    private Map<String, BigDecimal> parted(Map<String, BigDecimal> ofGroups) {
        Map<String, BigDecimal> weights = new LinkedHashMap<>();
        ofGroups.forEach((name, weight) -> {
            List<CountedStratum> of = members.getOrDefault(name, List.of());
            long rows = of.stream().mapToLong(CountedStratum::shareRows).sum();
            for (CountedStratum stratum : of) {
                BigDecimal share = of.size() == 1
                        ? BigDecimal.ONE
                        : BigDecimal.valueOf(rows == 0 ? 1 : stratum.shareRows())
                                .divide(
                                        BigDecimal.valueOf(rows == 0 ? of.size() : rows),
                                        SHARE_DIGITS,
                                        RoundingMode.HALF_EVEN);
                weights.put(stratum.name(), weight.multiply(share));
            }
        });
        return weights;
    }

    /** Returns the weights of the shares that the margins leave open, also for strata without rows, which get none. */
    private Map<String, BigDecimal> besideMargins(Map<String, BigDecimal> given, List<Margin> margins) {
        if (given.isEmpty()) {
            return equal();
        }
        int column = columnOf(given);
        if (column < 0) {
            return given;
        }
        String name = column(column).displayName();
        if (margins.stream().anyMatch(margin -> margin.column().equals(name))) {
            throw new ConfigException(where + ": '" + name + "' has weights and "
                    + (section.balance().contains(name) ? "is also listed under balance" : "a margin")
                    + ", which settles its shares; leave one of them out");
        }
        return ofValues(column, given);
    }

    private Map<String, BigDecimal> equal() {
        return groups.stream().collect(Collectors.toMap(CountedStratum::name, group -> BigDecimal.ONE));
    }

    private Map<String, BigDecimal> weighed(Map<String, BigDecimal> given) {
        if (given.isEmpty()) {
            new Combinations(where, groups, values).check(-1, given);
            return equal();
        }
        int column = columnOf(given);
        if (column < 0) {
            if (!section.balance().isEmpty()) {
                throw new ConfigException(where + ": weights of whole strata and balance " + section.balance()
                        + " contradict each other; weigh one column's values, or leave balance out");
            }
            return given;
        }
        String name = column(column).displayName();
        if (section.balance().contains(name)) {
            throw new ConfigException(
                    where + ": '" + name + "' has weights and is also listed under balance, which gives its"
                            + " values equal shares; leave one of them out");
        }
        new Combinations(where, groups, values).check(column, given);
        return ofValues(column, given);
    }

    private Map<String, BigDecimal> ofValues(int column, Map<String, BigDecimal> given) {
        Map<String, BigDecimal> weights = new LinkedHashMap<>();
        for (CountedStratum group : groups) {
            weights.put(group.name(), given.getOrDefault(group.parts().get(column), BigDecimal.ZERO));
        }
        return weights;
    }

    /** The strata column whose values the weights name; −1 where they name whole strata. */
    private int columnOf(Map<String, BigDecimal> given) {
        List<Integer> columns = IntStream.range(0, values.size())
                .filter(i -> values.get(i).containsAll(given.keySet()))
                .boxed()
                .toList();
        if (columns.size() == 1) {
            return columns.get(0);
        }
        if (columns.size() > 1) {
            throw new ConfigException(where + ": weights " + given.keySet() + " name values of '"
                    + column(columns.get(0)).displayName() + "' and of '"
                    + column(columns.get(1)).displayName() + "'; name whole strata, such as '"
                    + groups.get(0).name() + "'");
        }
        if (members.keySet().containsAll(given.keySet())) {
            return -1;
        }
        Set<String> known = new TreeSet<>(members.keySet());
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
}
