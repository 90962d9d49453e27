package io.rankfeed.sampling.plan.quota;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.CanonicalJson;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Units for strata such that every value of every margin has exactly its units, within the bounds of each stratum
 * (docs/format/plan.md, section 3.3). Of two margins a solution is found whenever there is one. Of more, one column joins after
 * the other, so that where cells are missing or bounded a solution may exist and yet be refused; what is given is always exact.
 */
public final class Margins {
    private final long rowsPerUnit;
    private final long units;
    private final List<MarginColumn> columns;
    private final List<BigDecimal> weights;
    private final long[] floors;
    private final long[] caps;

    private Margins(
            long rowsPerUnit,
            long units,
            List<MarginColumn> columns,
            List<BigDecimal> weights,
            long[] floors,
            long[] caps) {
        this.rowsPerUnit = rowsPerUnit;
        this.units = units;
        this.columns = columns;
        this.weights = weights;
        this.floors = floors;
        this.caps = caps;
    }

    /**
     * @param rowsPerUnit what a unit is in rows, for messages
     * @param strata by name
     * @param weights of the strata among themselves: where the margins leave a choice, shares are as near to them as can be
     * @param caps 0 for a stratum without rows
     * @throws ConfigException if the margins contradict each other, the bounds or the rows at hand
     */
    public static long[] apportion(
            long rowsPerUnit,
            long units,
            List<String> strata,
            List<Margin> margins,
            List<BigDecimal> weights,
            long[] floors,
            long[] caps) {
        long[] open = caps.clone();
        for (int s = 0; s < open.length; s++) {
            open[s] = weights.get(s).signum() == 0 ? 0 : Math.min(units, caps[s]);
        }
        List<MarginColumn> columns =
                margins.stream().map(margin -> column(margin, units, strata)).toList();
        return new Margins(rowsPerUnit, units, columns, weights, floors, open).solve();
    }

    /** Refuses a value that has a weight, but one too small for a unit. */
    public static void checkUnits(long rowsPerUnit, long units, List<Margin> margins) {
        for (Margin margin : margins) {
            List<String> values = sortedValues(margin);
            long[] targets = Quotas.apportion(units, weights(margin, values));
            for (int v = 0; v < targets.length; v++) {
                if (targets[v] == 0 && weights(margin, values).get(v).signum() > 0) {
                    throw new ConfigException("margin of '" + margin.column() + "': the share of '" + values.get(v)
                            + "' is under one unit of " + rowsPerUnit
                            + " rows; raise its weight, lower lanes or give it"
                            + " weight 0");
                }
            }
        }
    }

    private static List<String> sortedValues(Margin margin) {
        return margin.valueOf().values().stream()
                .distinct()
                .sorted(CanonicalJson::compareCodePoints)
                .toList();
    }

    /** The weight of each value, not all 0. */
    private static List<BigDecimal> weights(Margin margin, List<String> values) {
        for (String value : margin.weights().keySet()) {
            if (!values.contains(value)) {
                throw new ConfigException("margin of '" + margin.column() + "': no stratum has the value '" + value
                        + "'; there are " + values.subList(0, Math.min(10, values.size())));
            }
        }
        List<BigDecimal> weights = values.stream()
                .map(value -> margin.weights().getOrDefault(value, BigDecimal.ZERO))
                .toList();
        if (weights.stream().allMatch(weight -> weight.signum() == 0)) {
            throw new ConfigException(
                    "margin of '" + margin.column() + "': all weights are 0; give at least one value a weight");
        }
        return weights;
    }

    private static MarginColumn column(Margin margin, long units, List<String> strata) {
        List<String> values = sortedValues(margin);
        long[] targets = Quotas.apportion(units, weights(margin, values));
        Map<String, Integer> numbers = new HashMap<>();
        for (String value : values) {
            numbers.put(value, numbers.size());
        }
        int[] valueOf = new int[strata.size()];
        for (int s = 0; s < valueOf.length; s++) {
            Integer value = numbers.get(margin.valueOf().getOrDefault(strata.get(s), ""));
            if (value == null) {
                throw new ConfigException(
                        "margin of '" + margin.column() + "': stratum '" + strata.get(s) + "' has no value");
            }
            valueOf[s] = value;
        }
        return new MarginColumn(margin.column(), values, targets, valueOf);
    }

    private long[] solve() {
        columns.forEach(this::checkValues);
        double[] ideal = FractionalTable.fit(
                columns, weights.stream().mapToDouble(BigDecimal::doubleValue).toArray(), floors, caps);
        int[] groupOf = columns.get(0).valueOf();
        long[] totals = columns.get(0).targets();
        List<String> names = columns.get(0).values();
        for (int k = 1; k < columns.size(); k++) {
            MarginColumn column = columns.get(k);
            Map<Long, List<Integer>> strataOf = new LinkedHashMap<>();
            for (int s = 0; s < groupOf.length; s++) {
                long cell = (long) groupOf[s] * column.values().size() + column.valueOf()[s];
                strataOf.computeIfAbsent(cell, none -> new ArrayList<>()).add(s);
            }
            List<IntegerTable.Cell> cells = new ArrayList<>();
            List<String> joined = new ArrayList<>();
            int[] joinedOf = new int[groupOf.length];
            for (List<Integer> strata : strataOf.values()) {
                int row = groupOf[strata.get(0)];
                int value = column.valueOf()[strata.get(0)];
                strata.forEach(s -> joinedOf[s] = cells.size());
                cells.add(new IntegerTable.Cell(
                        row,
                        value,
                        sum(strata, floors),
                        sum(strata, caps),
                        strata.stream().mapToDouble(s -> ideal[s]).sum()));
                joined.add(names.get(row) + "/" + column.values().get(value));
            }
            IntegerTable table = new IntegerTable(cells, totals, column.targets());
            IntegerTable.Contradiction contradiction = table.fill();
            if (contradiction != null) {
                throw refusal(k, names, totals, cells, contradiction);
            }
            totals = table.held();
            groupOf = joinedOf;
            names = joined;
        }
        return withinGroups(groupOf, totals);
    }

    /** Strata that agree in all margins share by weight. */
    private long[] withinGroups(int[] groupOf, long[] totals) {
        long[] quotas = new long[groupOf.length];
        Map<Integer, List<Integer>> members = new LinkedHashMap<>();
        for (int s = 0; s < groupOf.length; s++) {
            members.computeIfAbsent(groupOf[s], none -> new ArrayList<>()).add(s);
        }
        members.forEach((group, strata) -> {
            if (totals[group] > 0) {
                long[] shares = Quotas.apportion(
                        totals[group],
                        strata.stream().map(weights::get).toList(),
                        strata.stream().mapToLong(s -> floors[s]).toArray(),
                        strata.stream().mapToLong(s -> caps[s]).toArray());
                for (int i = 0; i < shares.length; i++) {
                    quotas[strata.get(i)] = shares[i];
                }
            }
        });
        return quotas;
    }

    private long sum(List<Integer> strata, long[] bounds) {
        // Bounds are at most the units of the stage; more than these is as good as these.
        long sum = 0;
        for (int s : strata) {
            sum = Math.min(units, sum + bounds[s]);
        }
        return sum;
    }

    private void checkValues(MarginColumn column) {
        int[][] strataOf = column.strata();
        for (int v = 0; v < column.targets().length; v++) {
            List<Integer> strata = Arrays.stream(strataOf[v]).boxed().toList();
            long target = column.targets()[v];
            long max = sum(strata, caps);
            long min = sum(strata, floors);
            if (max < target || min > target) {
                throw new ConfigException("margin of '" + column.name() + "': '"
                        + column.values().get(v) + "' is to have " + target * rowsPerUnit
                        + " rows, but its strata can give "
                        + (max < target ? "at most " + max * rowsPerUnit : "no fewer than " + min * rowsPerUnit)
                        + "; change its weight, the bounds of its strata or the rows of the feed");
            }
        }
    }

    private ConfigException refusal(
            int k,
            List<String> names,
            long[] totals,
            List<IntegerTable.Cell> cells,
            IntegerTable.Contradiction contradiction) {
        MarginColumn column = columns.get(k);
        long wanted = 0;
        for (int i = 0; i < totals.length; i++) {
            wanted += contradiction.rows().get(i) ? totals[i] : 0;
        }
        long taken = 0;
        for (int j = 0; j < column.targets().length; j++) {
            taken += contradiction.columns().get(j) ? column.targets()[j] : 0;
        }
        long given = 0;
        for (IntegerTable.Cell cell : cells) {
            boolean row = contradiction.rows().get(cell.row());
            boolean value = contradiction.columns().get(cell.column());
            taken -= !row && value ? cell.min() : 0;
            given += row && !value ? cell.max() : 0;
        }
        String before = columns.subList(0, k).stream()
                .map(MarginColumn::name)
                .reduce((a, b) -> a + "/" + b)
                .orElseThrow();
        String values = chosen(column.values(), contradiction.columns());
        return new ConfigException("margins of '" + before + "' and '" + column.name() + "' contradict each other: "
                + chosen(names, contradiction.rows()) + " of '" + before + "' is to have " + wanted * rowsPerUnit
                + " rows, of which "
                + (values.isEmpty()
                        ? ""
                        : values + " of '" + column.name() + "' can take " + taken * rowsPerUnit + " and ")
                + "other values can give " + given * rowsPerUnit + "; change the weights, or remove one margin"
                + (k > 1 ? " (of three and more margins not every solution is found)" : ""));
    }

    private static String chosen(List<String> names, BitSet chosen) {
        List<String> some =
                chosen.stream().mapToObj(i -> "'" + names.get(i) + "'").toList();
        return String.join(", ", some.subList(0, Math.min(5, some.size()))) + (some.size() > 5 ? ", …" : "");
    }
}
