package io.rankfeed.feeder.serve.admission;

import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Optional;

/**
 * A feed in numbers.
 *
 * @param kind {@code train} or {@code sequential}
 * @param batch rows of a global batch; of the largest one
 * @param poolRows rows of the feed
 * @param strata their names; empty in a sequential feed
 * @param stages in the order of their steps; at least one
 */
public record FeedFacts(
        String name,
        String kind,
        EpochSteps steps,
        long batch,
        long poolRows,
        List<String> strata,
        List<FeedStage> stages) {
    public FeedFacts {
        strata = List.copyOf(strata);
        stages = List.copyOf(stages);
    }

    public static FeedFacts of(Feed feed) {
        return switch (feed) {
            case TrainFeed train ->
                new FeedFacts(
                        train.name(),
                        "train",
                        new EpochSteps(train.epochs(), train.stepsPerEpoch(), train.epochStarts(), train.steps()),
                        train.batch(),
                        train.strata().stream().mapToLong(Stratum::rows).sum(),
                        train.strata().stream().map(Stratum::name).toList(),
                        FeedStage.of(train));
            case SequentialFeed list ->
                new FeedFacts(
                        list.name(),
                        "sequential",
                        EpochSteps.of(1, list.steps()),
                        list.batch(),
                        list.rows(),
                        List.of(),
                        List.of(new FeedStage(0, 0, list.batch(), List.of())));
        };
    }

    public long totalSteps() {
        return steps.total();
    }

    /** The stage that begins at a step of the run; empty within a stage, and in a feed of one stage. */
    public Optional<FeedStage> stageThatBegins(long step) {
        return stages.size() == 1
                ? Optional.empty()
                : stages.stream().filter(stage -> stage.step() == step).findFirst();
    }
}
