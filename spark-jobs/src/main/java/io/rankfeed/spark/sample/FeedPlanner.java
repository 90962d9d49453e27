package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.lit;

import io.rankfeed.sampling.BalanceWithin;
import io.rankfeed.sampling.EpochMode;
import io.rankfeed.sampling.FeedOrders;
import io.rankfeed.sampling.OnShortage;
import io.rankfeed.sampling.OrderPlanner;
import io.rankfeed.sampling.OrderWishes;
import io.rankfeed.sampling.PoolSpan;
import io.rankfeed.sampling.RowOrder;
import io.rankfeed.sampling.SequentialOrder;
import io.rankfeed.sampling.ZeroQuota;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.spark.job.FeedSection;
import io.rankfeed.spark.source.Condition;
import io.rankfeed.spark.source.Refusals;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Plans one feed: counts its strata and has the numbers of its order made. */
final class FeedPlanner {
    /** Rows by strata, and those that the feed may draw from. */
    private record Counted(
            Dataset<Row> rows, StrataColumns columns, Dataset<Row> counts, List<CountedStratum> strata, long dropped) {}

    /** Adaptive execution leaves what is kept in as many small partitions as a shuffle has; a few will do. */
    private static final int COUNT_TASKS = 16;

    private final Dataset<Row> prepared;
    private final String name;
    private final FeedSection section;

    /** @param prepared the prepared table, or rows with the columns that the feed speaks of */
    FeedPlanner(Dataset<Row> prepared, String name, FeedSection section) {
        this.prepared = prepared;
        this.name = name;
        this.section = section;
    }

    /**
     * @param tableRows rows of the prepared table
     * @throws ConfigException if the feed cannot be planned as it is written; the message names the feed
     */
    PlannedFeed plan(long tableRows) {
        FeedOrder order = FeedOrder.of(section, tableRows);
        Counted counted = counted(order.bin());
        return new PlannedFeed(
                section,
                order,
                feed(counted, OnShortage.valueOf(section.onShortage().name())),
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
        Optional<Feed> planned = counted.flatMap(found -> refusals.of(
                () -> feed(found, OnShortage.valueOf(section.onShortage().name()))));
        return planned.or(() -> counted.flatMap(found -> new Refusals().of(() -> feed(found, OnShortage.REPEAT))))
                .map(feed -> FeedReport.of(
                        feed,
                        section,
                        counted.orElseThrow().strata(),
                        counted.orElseThrow().dropped()));
    }

    /** @param bin of a row in the feed's order */
    private Counted counted(Column bin) {
        Dataset<Row> rows = filtered();
        section.orderBy().ifPresent(column -> ListOrder.check(name, column, rows));
        StrataColumns columns = new StrataColumns(name, section.strata(), rows);
        Dataset<Row> counts = columns.counts(rows, bin).coalesce(COUNT_TASKS).persist();
        List<CountedStratum> strata = columns.strata(counts, rows);
        long dropped = columns.dropped(counts, strata);
        if (strata.stream().allMatch(stratum -> stratum.rows() == 0)) {
            throw new ConfigException("feed '" + name + "': no row is left"
                    + section.where().map(where -> " by where: " + where).orElse("; the prepared table is empty"));
        }
        return new Counted(rows, columns, counts, strata, dropped);
    }

    private Feed feed(Counted counted, OnShortage onShortage) {
        return section.kind() == FeedSection.Kind.SEQUENTIAL
                ? sequential(counted.strata().get(0).rows())
                : train(counted.strata(), StageWeights.of(name, section, counted.strata()), onShortage);
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

    private Feed train(List<CountedStratum> strata, List<OrderWishes.Stage> stages, OnShortage onShortage) {
        long all = strata.stream().mapToLong(CountedStratum::rows).sum();
        OrderWishes wishes = new OrderWishes(
                section.seed(),
                section.lanes(),
                section.batch(),
                section.epochs(),
                section.rows().orElse(all),
                EpochMode.valueOf(section.epochMode().name()),
                RowOrder.valueOf(section.order().name()),
                BalanceWithin.valueOf(section.balanceWithin().name()),
                PoolSpan.valueOf(section.pool().name()),
                onShortage,
                ZeroQuota.REFUSE,
                strata.stream()
                        .map(stratum -> new OrderWishes.Available(stratum.name(), stratum.rows()))
                        .toList(),
                stages);
        try {
            return FeedOrders.feed(name, OrderPlanner.plan(wishes));
        } catch (ConfigException e) {
            throw new ConfigException("feed '" + name + "': " + e.getMessage(), e);
        }
    }
}
