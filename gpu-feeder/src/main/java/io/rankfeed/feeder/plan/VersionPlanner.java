package io.rankfeed.feeder.plan;

import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.job.FeedSection;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.job.plan.FeedNumbers;
import io.rankfeed.job.plan.StageConditions;
import io.rankfeed.job.plan.VersionPlan;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import io.rankfeed.schema.selection.SelectedTrain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Plans over a version: its feeds with other numbers, over the rows that it stores (docs/format/plan.md, section 3.7). */
final class VersionPlanner {
    /** A plan, and the decisions of the planner by feed. */
    record Planned(Order order, Map<String, FeedDecisions> decisions) {}

    private final OpenVersion version;
    private final OwnPlan own;

    VersionPlanner(OpenVersion version, OwnPlan own) {
        this.version = version;
        this.own = own;
    }

    /**
     * @param feed that is changed, by default the only one that trains; the others keep the numbers of the version's own plan
     * @param file keys of {@code sample.<feed>}, in a file
     * @param assignments the values of {@code --set}
     * @throws ConfigException if the feed cannot be planned so over this version
     */
    Planned plan(Optional<String> feed, Optional<ConfigDocument> file, List<String> assignments) {
        List<String> training = version.order().feeds().stream()
                .filter(TrainFeed.class::isInstance)
                .map(Feed::name)
                .toList();
        if (training.isEmpty()) {
            throw new ConfigException("the version has no feed that trains, so that there is nothing to plan");
        } else if (feed.isEmpty() && training.size() > 1) {
            throw new ConfigException("the version has several feeds that train; write one of --feed "
                    + String.join(", --feed ", training));
        }
        return plan(version.feed(feed.orElse(training.getFirst())).name(), file, assignments);
    }

    private Planned plan(String name, Optional<ConfigDocument> file, List<String> assignments) {
        List<Feed> feeds = new ArrayList<>();
        Map<String, FeedDecisions> decisions = new TreeMap<>();
        for (Feed feed : version.order().feeds()) {
            if (feed.name().equals(name)) {
                FeedNumbers numbers = numbers(feed, file, assignments);
                feeds.add(numbers.feed());
                decisions.put(name, numbers.decisions());
            } else {
                feeds.add(feed instanceof TrainFeed train ? train.over(source(train)) : feed);
            }
        }
        Order order = new Order(version.manifest().dataset(), OrderId.NONE, Optional.empty(), feeds);
        Order identified = OrderId.identified(order);
        try {
            OrderId.parse(OrderJson.toBytes(identified), Order.FILE_NAME);
        } catch (CorruptDataException e) {
            throw new ConfigException(e.getMessage() + ", as any reader would find; plan fewer epochs or stages", e);
        }
        return new Planned(identified, decisions);
    }

    private Member.Source source(TrainFeed feed) {
        return new Member.Source(
                version.manifest().dataset(), version.manifest().id(), feed.name());
    }

    private FeedNumbers numbers(Feed feed, Optional<ConfigDocument> file, List<String> assignments) {
        ConfigDocument settings = PlanSettings.own(own.settings(feed));
        return switch (feed) {
            case TrainFeed train -> {
                FeedSection exported = settings.bind(FeedSection.class);
                SelectedTrain stored = own.stored(train, exported);
                FeedSection section = PlanSettings.of(settings, file, assignments, stored, own.joined(train));
                yield VersionPlan.of(section, stored, StageConditions.of(exported.stages()), source(train));
            }
            case SequentialFeed list -> {
                FeedSection section = PlanSettings.sequential(settings, file, assignments);
                if (section.lanes() != list.lanes()) {
                    throw new ConfigException("feed '" + feed.name() + "': lanes " + section.lanes()
                            + " of a sequential feed must be the " + list.lanes() + " lanes of the version");
                }
                List<CountedStratum> rows = List.of(new CountedStratum(CountedStratum.ALL, List.of(), list.rows()));
                yield FeedNumbers.of(feed.name(), section, rows, List.of(), section.onShortage());
            }
        };
    }
}
