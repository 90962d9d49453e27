package io.rankfeed.job.plan;

import io.rankfeed.job.FeedSection;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.OrderPlanner;
import io.rankfeed.sampling.plan.PlanRequest;
import io.rankfeed.sampling.plan.PlannedOrder;
import io.rankfeed.sampling.plan.RareStrata;
import io.rankfeed.sampling.plan.Shares;
import io.rankfeed.sampling.plan.StoredLists;
import io.rankfeed.sampling.plan.ZeroQuota;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a feed's order, made of its strata's counts alone.
 *
 * @param decisions what was decided to come to them
 * @param drawnAs by rare stratum the one as which it is drawn
 */
public record FeedNumbers(Feed feed, FeedDecisions decisions, Map<String, String> drawnAs) {
    /**
     * @param edges of quantile bins
     * @throws ConfigException if the feed cannot be planned as it is written; the message names the feed
     */
    public static FeedNumbers of(
            String name,
            FeedSection section,
            List<CountedStratum> strata,
            List<FeedDecisions.Edge> edges,
            OnShortage onShortage) {
        if (section.kind() == FeedSection.Kind.SEQUENTIAL) {
            Feed feed = sequential(name, section, strata.get(0).rows());
            return new FeedNumbers(feed, FeedDecisions.NONE, Map.of());
        }
        PlanRequest request = request(name, section, strata, onShortage, ZeroQuota.REFUSE);
        boolean joined =
                section.onRare().filter(FeedSection.OnRare.REST::equals).isPresent();
        FeedNumbers numbers = planned(request, edges, joined ? rest(strata) : null, OrderPlanner::planned);
        return section.isSeedless()
                ? new FeedNumbers(((TrainFeed) numbers.feed()).shuffled(), numbers.decisions(), numbers.drawnAs())
                : numbers;
    }

    /** Plans over the lists of a version: rare strata cannot be drawn together, because their rows are in several lists. */
    static FeedNumbers ofStored(
            StoredLists lists, FeedSection section, List<CountedStratum> strata, OnShortage onShortage) {
        return planned(
                request(lists.source().feed(), section, strata, onShortage, ZeroQuota.REFUSE_JOINED),
                List.of(),
                null,
                request -> OrderPlanner.planned(request, lists));
    }

    private static FeedNumbers planned(
            PlanRequest request,
            List<FeedDecisions.Edge> edges,
            @Nullable UnaryOperator<String> rest,
            Function<PlanRequest, PlannedOrder> planner) {
        try {
            RareStrata.Merged merged =
                    rest == null ? new RareStrata.Merged(request, Map.of()) : RareStrata.merge(request, rest);
            PlannedOrder planned = planner.apply(merged.request());
            return new FeedNumbers(
                    planned.feed(),
                    new FeedDecisions(
                            edges,
                            planned.shortages().stream()
                                    .map(FeedNumbers::reported)
                                    .toList(),
                            List.copyOf(merged.drawnAs().keySet()),
                            request.zeroQuota() == ZeroQuota.ALLOW ? leftOut(request, planned.feed()) : List.of()),
                    merged.drawnAs());
        } catch (ConfigException e) {
            throw new ConfigException("feed '" + request.feed() + "': " + e.getMessage(), e);
        }
    }

    /** Rows that other stages take are no rest of this one: those that the same stages take are drawn together. */
    private static UnaryOperator<String> rest(List<CountedStratum> strata) {
        Map<String, CountedStratum> byName =
                strata.stream().collect(Collectors.toMap(CountedStratum::name, stratum -> stratum));
        return name -> CountedStratum.rest(Objects.requireNonNull(byName.get(name)));
    }

    /** Weighed in a stage, and yet without a unit of it. */
    private static List<FeedDecisions.Left> leftOut(PlanRequest request, TrainFeed feed) {
        List<FeedDecisions.Left> left = new ArrayList<>();
        for (int stage = 0; stage < request.stages().size(); stage++) {
            for (int s = 0; s < feed.strata().size(); s++) {
                int stratum = s;
                int of = stage;
                String name = feed.strata().get(s).name();
                boolean weighed = request.stages()
                                .get(stage)
                                .weights()
                                .getOrDefault(name, BigDecimal.ZERO)
                                .signum()
                        > 0;
                List<Long> quotas = feed.segments().stream()
                        .filter(segment -> segment.stage() == of)
                        .map(segment -> segment.quotas().get(stratum))
                        .toList();
                if (weighed && !quotas.isEmpty() && quotas.stream().allMatch(units -> units == 0)) {
                    left.add(new FeedDecisions.Left(stage, name));
                }
            }
        }
        return left;
    }

    private static FeedDecisions.Shortage reported(PlannedOrder.Shortage shortage) {
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

    private static PlanRequest request(
            String name, FeedSection section, List<CountedStratum> strata, OnShortage onShortage, ZeroQuota otherwise) {
        List<PlanRequest.Stage> stages = StageWeights.of(name, section, strata);
        long all = strata.stream().mapToLong(CountedStratum::rows).sum();
        return new PlanRequest(
                name,
                section.seed(),
                section.lanes(),
                section.batch(),
                section.epochs(),
                section.rowsAsked().orElse(all),
                section.epochMode(),
                section.order(),
                section.balanceWithin(),
                section.poolOfRun(),
                onShortage,
                section.onRare().filter(FeedSection.OnRare.LEAVE_OUT::equals).isPresent() ? ZeroQuota.ALLOW : otherwise,
                section.nested() ? Shares.GROWING : Shares.NEAREST,
                strata.stream()
                        .map(stratum -> new PlanRequest.Available(stratum.name(), stratum.rows()))
                        .toList(),
                stages);
    }
}
