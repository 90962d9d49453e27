package io.rankfeed.spark.sample;

import static org.apache.spark.sql.functions.expr;

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
import io.rankfeed.spark.source.SparkFailures;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Plans one feed: counts its strata and has the numbers of its order made. */
final class FeedPlanner {
    private final PreparedFrame prepared;
    private final String name;
    private final FeedSection section;

    FeedPlanner(PreparedFrame prepared, String name, FeedSection section) {
        this.prepared = prepared;
        this.name = name;
        this.section = section;
    }

    /** @throws ConfigException if the feed cannot be planned as it is written; the message names the feed */
    PlannedFeed plan() {
        Dataset<Row> rows = filtered();
        StrataColumns columns = new StrataColumns(name, section.strata(), rows);
        List<CountedStratum> strata = columns.count(rows);
        long dropped = columns.dropped(rows, strata);
        if (strata.stream().allMatch(stratum -> stratum.rows() == 0)) {
            throw new ConfigException("feed '" + name + "': no row is left"
                    + section.where().map(where -> " by where: " + where).orElse("; the prepared table is empty"));
        }
        Feed feed = section.kind() == FeedSection.Kind.SEQUENTIAL
                ? sequential(strata.get(0).rows())
                : train(strata, StageWeights.of(name, section, strata));
        return new PlannedFeed(section, feed, strata, dropped, rows, columns.name());
    }

    private Dataset<Row> filtered() {
        if (section.where().isEmpty()) {
            return prepared.rows();
        }
        try {
            return prepared.rows().where(expr(section.where().get()));
        } catch (Exception e) {
            // Spark's Scala throws AnalysisException, a checked one, unannounced.
            if (e instanceof AnalysisException) {
                throw new ConfigException("feed '" + name + "', where: " + SparkFailures.firstLine(e), e);
            }
            throw e;
        }
    }

    private Feed sequential(long rows) {
        SequentialOrder order = new SequentialOrder(section.lanes(), section.batch(), rows);
        return new SequentialFeed(name, order.lanes(), order.batch(), order.rows(), order.steps());
    }

    private Feed train(List<CountedStratum> strata, List<OrderWishes.Stage> stages) {
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
                OnShortage.valueOf(section.onShortage().name()),
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
