package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.lit;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.job.plan.FeedNumbers;
import io.rankfeed.report.DecisionLines;
import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.Condition;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.sample.select.EasyToHard;
import io.rankfeed.spark.sample.select.FeedOrder;
import io.rankfeed.spark.sample.select.OrderByColumn;
import io.rankfeed.spark.sample.select.PlannedFeed;
import io.rankfeed.spark.sample.strata.BinCounts;
import io.rankfeed.spark.sample.strata.QuantileEdges;
import io.rankfeed.spark.sample.strata.QuantileEdges.Found;
import io.rankfeed.spark.sample.strata.QuantileEdges.Order;
import io.rankfeed.spark.sample.strata.Quantiles;
import io.rankfeed.spark.sample.strata.StageLevels;
import io.rankfeed.spark.sample.strata.StrataColumns;
import io.rankfeed.spark.sample.strata.StrataPart;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * Plans one feed: counts its strata and has the numbers of its order made.
 *
 * @param prepared the prepared table, or rows with the columns that the feed names
 * @param listed chooses the rows of the feed's list, if it has one
 */
record FeedPlanner(Dataset<Row> prepared, String name, FeedSection section, UnaryOperator<Dataset<Row>> listed) {
    /** Rows by strata, and those that the feed may draw from. */
    private record Counted(
            Dataset<Row> rows,
            StrataColumns columns,
            StageLevels levels,
            BinCounts counts,
            List<CountedStratum> strata,
            long dropped) {}

    /** The orders of the prepared rows of which the feed needs quantiles; empty if it has a list, or its condition is refused. */
    Map<String, QuantileEdges.Order> ordersOfTable() {
        ConfigErrors errors = new ConfigErrors();
        Optional<Dataset<Row>> rows = errors.of(this::filtered);
        return rows.isEmpty() || section.list().isPresent()
                ? Map.of()
                : orders(prepared, section.where().map(functions::expr).orElse(lit(true)));
    }

    /** Returns the orders whose quantiles are needed. Invalid ones are left out, because planning refuses them. */
    private Map<String, QuantileEdges.Order> orders(Dataset<Row> rows, Column counted) {
        Map<String, QuantileEdges.Order> orders = new LinkedHashMap<>();
        ConfigErrors errors = new ConfigErrors();
        section.strata().forEach(column -> errors.check(() -> StrataPart.order(name, column, rows, counted, orders)));
        for (int i = 0; i < section.stages().size(); i++) {
            int stage = i;
            errors.check(() -> StageLevels.order(name, stage, section.stages().get(stage), rows, counted, orders));
        }
        return orders;
    }

    /**
     * @param tableRows rows of the prepared table
     * @param quantiles of {@link #ordersOfTable}
     * @throws ConfigException if the feed cannot be planned as it is written; the message names the feed
     */
    PlannedFeed plan(long tableRows, Quantiles quantiles) {
        FeedOrder order = FeedOrder.of(section, tableRows);
        Counted counted = counted(OptionalLong.of(tableRows), order.bin(), order.shift(), quantiles);
        FeedNumbers numbers = numbers(counted, section.onShortage());
        Optional<EasyToHard> easyToHard = EasyToHard.of(counted.levels(), numbers.feed());
        return new PlannedFeed(
                section,
                order,
                numbers.feed(),
                numbers.decisions(),
                numbers.drawnAs(),
                easyToHard,
                counted.strata(),
                counted.dropped(),
                counted.rows(),
                counted.columns().name(),
                counted.counts());
    }

    /**
     * Returns what {@link #plan} would make. If strata have too few rows, that is an error, but the report still shows
     * the wanted and the available rows of each.
     */
    Optional<FeedReport> preview(Quantiles quantiles, ConfigErrors errors) {
        Optional<Counted> counted = errors.of(() -> counted(OptionalLong.empty(), lit(0L), Long.SIZE, quantiles));
        Optional<FeedNumbers> planned = counted.flatMap(found -> errors.of(() -> ordered(found, section.onShortage())));
        return planned.map(numbers -> report(numbers, counted.orElseThrow(), DecisionLines.of(numbers.decisions())))
                .or(() -> counted.flatMap(found -> new ConfigErrors().of(() -> ordered(found, OnShortage.REPEAT)))
                        .map(numbers ->
                                report(numbers, counted.orElseThrow(), DecisionLines.ofRefused(numbers.decisions()))));
    }

    private FeedReport report(FeedNumbers numbers, Counted counted, List<String> decided) {
        return FeedReport.of(numbers.feed(), decided, section, counted.strata(), counted.dropped());
    }

    /**
     * @param tableRows rows of the prepared table, where there is one; they need no counting if they are one group
     * @param bin of a row in the feed's order
     * @param shift low bits of the order that a bin leaves out
     */
    private Counted counted(OptionalLong tableRows, Column bin, int shift, Quantiles ofTable) {
        Dataset<Row> rows = listed.apply(filtered());
        section.orderBy().ifPresent(column -> OrderByColumn.check(name, column, rows));
        Quantiles quantiles = section.list().isPresent() ? Quantiles.of(rows, orders(rows, lit(true))) : ofTable;
        StrataColumns columns = new StrataColumns(name, section, rows, quantiles);
        BinCounts counts = section.isOfWholeTable() && shift == Long.SIZE && tableRows.isPresent()
                ? BinCounts.ofOne(tableRows.getAsLong())
                : columns.counts(rows, bin, shift);
        List<CountedStratum> strata = columns.strata(counts, rows);
        long dropped = StrataColumns.dropped(counts, strata);
        if (strata.stream().allMatch(stratum -> stratum.rows() == 0)) {
            throw new ConfigException("feed '" + name + "': no row is left"
                    + section.where().map(where -> " by where: " + where).orElse("; the prepared table is empty"));
        }
        return new Counted(
                rows, columns, StageLevels.of(name, section.stages(), rows, quantiles), counts, strata, dropped);
    }

    private FeedNumbers numbers(Counted counted, OnShortage onShortage) {
        return FeedNumbers.of(name, section, counted.strata(), counted.columns().edges(), onShortage);
    }

    /** Returns numbers by which the lists of ordered stages can be ordered too. */
    private FeedNumbers ordered(Counted counted, OnShortage onShortage) {
        FeedNumbers numbers = numbers(counted, onShortage);
        EasyToHard.of(counted.levels(), numbers.feed());
        return numbers;
    }

    private Dataset<Row> filtered() {
        return section.where()
                .map(where -> Condition.filtered("feed '" + name + "', where", prepared, where))
                .orElse(prepared);
    }

    /** Scans each table once for all feeds over it; a feed with a list finds those of the list's rows itself. */
    static Quantiles quantiles(Collection<FeedPlanner> planners) {
        IdentityHashMap<Dataset<Row>, Map<String, Order>> ordersOf = new IdentityHashMap<>();
        for (FeedPlanner planner : planners) {
            ordersOf.computeIfAbsent(planner.prepared(), table -> new LinkedHashMap<>())
                    .putAll(planner.ordersOfTable());
        }
        Map<String, Found> found = new HashMap<>();
        ordersOf.forEach(
                (table, orders) -> found.putAll(Quantiles.of(table, orders).found()));
        return new Quantiles(found);
    }
}
