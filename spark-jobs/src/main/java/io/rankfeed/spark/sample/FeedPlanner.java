package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.lit;

import io.rankfeed.sampling.BalanceWithin;
import io.rankfeed.sampling.EpochMode;
import io.rankfeed.sampling.FeedOrders;
import io.rankfeed.sampling.OnShortage;
import io.rankfeed.sampling.OrderPlanner;
import io.rankfeed.sampling.OrderWishes;
import io.rankfeed.sampling.PlannedOrder;
import io.rankfeed.sampling.PoolSpan;
import io.rankfeed.sampling.RareStrata;
import io.rankfeed.sampling.RowOrder;
import io.rankfeed.sampling.SequentialOrder;
import io.rankfeed.sampling.Shares;
import io.rankfeed.sampling.ZeroQuota;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.spark.job.FeedSection;
import io.rankfeed.spark.source.Condition;
import io.rankfeed.spark.source.Refusals;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Plans one feed: counts its strata and has the numbers of its order made. */
final class FeedPlanner {
    /** Rows by strata, and those that the feed may draw from. */
    private record Counted(
            Dataset<Row> rows,
            StrataColumns columns,
            StageLevels levels,
            Dataset<Row> counts,
            List<CountedStratum> strata,
            long dropped) {}

    /** Its numbers, what was decided to come to them, by rare stratum the one as which it is drawn, and ordered stages. */
    private record Numbers(
            Feed feed, FeedDecisions decisions, Map<String, String> drawnAs, Optional<EasyToHard> easyToHard) {}

    /** Adaptive execution leaves what is kept in as many small partitions as a shuffle has; a few will do. */
    private static final int COUNT_TASKS = 16;

    private final Dataset<Row> prepared;
    private final String name;
    private final FeedSection section;
    private final UnaryOperator<Dataset<Row>> listed;

    /**
     * @param prepared the prepared table, or rows with the columns that the feed speaks of
     * @param listed chooses the rows of the feed's list, if it has one
     */
    FeedPlanner(Dataset<Row> prepared, String name, FeedSection section, UnaryOperator<Dataset<Row>> listed) {
        this.prepared = prepared;
        this.name = name;
        this.section = section;
        this.listed = listed;
    }

    /**
     * @param tableRows rows of the prepared table
     * @throws ConfigException if the feed cannot be planned as it is written; the message names the feed
     */
    PlannedFeed plan(long tableRows) {
        FeedOrder order = FeedOrder.of(section, tableRows);
        Counted counted = counted(order.bin());
        Numbers numbers =
                numbers(counted, OnShortage.valueOf(section.onShortage().name()));
        return new PlannedFeed(
                section,
                order,
                numbers.feed(),
                numbers.decisions(),
                numbers.drawnAs(),
                numbers.easyToHard(),
                counted.strata(),
                counted.dropped(),
                counted.rows(),
                counted.columns().name(),
                counted.counts(),
                counted.columns().stratumOf());
    }

    /**
     * What {@link #plan} would make. Where strata are too short, that is refused and yet shown: what is wanted of each
     * and what there is.
     */
    Optional<FeedReport> preview(Refusals refusals) {
        Optional<Counted> counted = refusals.of(() -> counted(lit(0L)));
        Optional<Numbers> planned = counted.flatMap(found -> refusals.of(
                () -> numbers(found, OnShortage.valueOf(section.onShortage().name()))));
        return planned.or(() -> counted.flatMap(found -> new Refusals().of(() -> numbers(found, OnShortage.REPEAT))))
                .map(numbers -> FeedReport.of(
                        numbers.feed(),
                        numbers.decisions(),
                        section,
                        counted.orElseThrow().strata(),
                        counted.orElseThrow().dropped()));
    }

    /** @param bin of a row in the feed's order */
    private Counted counted(Column bin) {
        Dataset<Row> rows = listed.apply(filtered());
        section.orderBy().ifPresent(column -> ListOrder.check(name, column, rows));
        StrataColumns columns = new StrataColumns(name, section, rows);
        Dataset<Row> counts = columns.counts(rows, bin).coalesce(COUNT_TASKS).persist();
        List<CountedStratum> strata = columns.strata(counts, rows);
        long dropped = columns.dropped(counts, strata);
        if (strata.stream().allMatch(stratum -> stratum.rows() == 0)) {
            throw new ConfigException("feed '" + name + "': no row is left"
                    + section.where().map(where -> " by where: " + where).orElse("; the prepared table is empty"));
        }
        return new Counted(rows, columns, StageLevels.of(name, section.stages(), rows), counts, strata, dropped);
    }

    private Numbers numbers(Counted counted, OnShortage onShortage) {
        if (section.kind() == FeedSection.Kind.SEQUENTIAL) {
            Feed feed = sequential(counted.strata().get(0).rows());
            return new Numbers(feed, FeedDecisions.NONE, Map.of(), Optional.empty());
        }
        OrderWishes wishes = wishes(counted.strata(), StageWeights.of(name, section, counted.strata()), onShortage);
        try {
            RareStrata.Merged merged =
                    section.onRare().filter(FeedSection.OnRare.REST::equals).isPresent()
                            ? RareStrata.merge(wishes, rest(counted.strata()))
                            : new RareStrata.Merged(wishes, Map.of());
            PlannedOrder planned = OrderPlanner.planned(merged.wishes());
            TrainFeed feed = FeedOrders.feed(name, planned.order());
            return new Numbers(
                    feed,
                    new FeedDecisions(
                            counted.columns().edges(),
                            planned.shortages().stream().map(FeedPlanner::told).toList(),
                            List.copyOf(merged.drawnAs().keySet())),
                    merged.drawnAs(),
                    EasyToHard.of(counted.levels(), feed, planned.stageOf()));
        } catch (ConfigException e) {
            throw new ConfigException("feed '" + name + "': " + e.getMessage(), e);
        }
    }

    /** Rows that other stages take are no rest of this one: those that the same stages take are drawn together. */
    private static UnaryOperator<String> rest(List<CountedStratum> strata) {
        Map<String, CountedStratum> byName =
                strata.stream().collect(Collectors.toMap(CountedStratum::name, stratum -> stratum));
        return name -> CountedStratum.rest(Objects.requireNonNull(byName.get(name)));
    }

    private static FeedDecisions.Shortage told(PlannedOrder.Shortage shortage) {
        return new FeedDecisions.Shortage(
                shortage.stage(),
                shortage.stratum(),
                shortage.wanted(),
                shortage.available(),
                shortage.taken(),
                shortage.repeated());
    }

    private Dataset<Row> filtered() {
        return section.where()
                .map(where -> Condition.filtered("feed '" + name + "', where", prepared, where))
                .orElse(prepared);
    }

    private Feed sequential(long rows) {
        SequentialOrder order = new SequentialOrder(section.lanes(), section.batch(), rows);
        return new SequentialFeed(name, order.lanes(), order.batch(), order.rows(), order.steps());
    }

    private OrderWishes wishes(List<CountedStratum> strata, List<OrderWishes.Stage> stages, OnShortage onShortage) {
        long all = strata.stream().mapToLong(CountedStratum::rows).sum();
        return new OrderWishes(
                section.seed(),
                section.lanes(),
                section.batch(),
                section.epochs(),
                section.rowsAsked().orElse(all),
                EpochMode.valueOf(section.epochMode().name()),
                RowOrder.valueOf(section.order().name()),
                BalanceWithin.valueOf(section.balanceWithin().name()),
                PoolSpan.valueOf(section.pool().name()),
                onShortage,
                section.onRare().filter(FeedSection.OnRare.LEAVE_OUT::equals).isPresent()
                        ? ZeroQuota.ALLOW
                        : ZeroQuota.REFUSE,
                section.nested() ? Shares.GROWING : Shares.NEAREST,
                strata.stream()
                        .map(stratum -> new OrderWishes.Available(stratum.name(), stratum.rows()))
                        .toList(),
                stages);
    }
}
