package io.rankfeed.spark.sample;

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
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The numbers of a feed's order, made of its strata's counts alone.
 *
 * @param decisions what was decided to come to them
 * @param drawnAs by rare stratum the one as which it is drawn
 * @param easyToHard how its lists are ordered where its stages have an order
 */
record FeedNumbers(Feed feed, FeedDecisions decisions, Map<String, String> drawnAs, Optional<EasyToHard> easyToHard) {
    /**
     * @param edges of quantile bins
     * @throws ConfigException if the feed cannot be planned as it is written; the message names the feed
     */
    static FeedNumbers of(
            String name,
            FeedSection section,
            List<CountedStratum> strata,
            List<FeedDecisions.Edge> edges,
            StageLevels levels,
            OnShortage onShortage) {
        if (section.kind() == FeedSection.Kind.SEQUENTIAL) {
            Feed feed = sequential(name, section, strata.get(0).rows());
            return new FeedNumbers(feed, FeedDecisions.NONE, Map.of(), Optional.empty());
        }
        OrderWishes wishes = wishes(section, strata, StageWeights.of(name, section, strata), onShortage);
        try {
            RareStrata.Merged merged =
                    section.onRare().filter(FeedSection.OnRare.REST::equals).isPresent()
                            ? RareStrata.merge(wishes, rest(strata))
                            : new RareStrata.Merged(wishes, Map.of());
            PlannedOrder planned = OrderPlanner.planned(merged.wishes());
            TrainFeed feed = FeedOrders.feed(name, planned);
            return new FeedNumbers(
                    feed,
                    new FeedDecisions(
                            edges,
                            planned.shortages().stream().map(FeedNumbers::told).toList(),
                            List.copyOf(merged.drawnAs().keySet()),
                            wishes.zeroQuota() == ZeroQuota.ALLOW ? leftOut(wishes, planned) : List.of()),
                    merged.drawnAs(),
                    EasyToHard.of(levels, feed, planned.stageOf()));
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

    /** Weighed in a stage, and yet without a unit of it. */
    private static List<FeedDecisions.Left> leftOut(OrderWishes wishes, PlannedOrder planned) {
        List<FeedDecisions.Left> left = new ArrayList<>();
        for (int stage = 0; stage < wishes.stages().size(); stage++) {
            for (int s = 0; s < planned.order().strata().size(); s++) {
                int stratum = s;
                int of = stage;
                String name = planned.order().strata().get(s).name();
                boolean weighed = wishes.stages()
                                .get(stage)
                                .weights()
                                .getOrDefault(name, BigDecimal.ZERO)
                                .signum()
                        > 0;
                List<Long> quotas = IntStream.range(0, planned.stageOf().size())
                        .filter(i -> planned.stageOf().get(i) == of)
                        .mapToObj(
                                i -> planned.order().segments().get(i).quotas().get(stratum))
                        .toList();
                if (weighed && !quotas.isEmpty() && quotas.stream().allMatch(units -> units == 0)) {
                    left.add(new FeedDecisions.Left(stage, name));
                }
            }
        }
        return left;
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

    private static Feed sequential(String name, FeedSection section, long rows) {
        SequentialOrder order = new SequentialOrder(section.lanes(), section.batch(), rows);
        return new SequentialFeed(name, order.lanes(), order.batch(), order.rows(), order.steps());
    }

    private static OrderWishes wishes(
            FeedSection section, List<CountedStratum> strata, List<OrderWishes.Stage> stages, OnShortage onShortage) {
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
