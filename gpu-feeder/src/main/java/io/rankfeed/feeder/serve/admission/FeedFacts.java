package io.rankfeed.feeder.serve.admission;

import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A feed, and its stages.
 *
 * @param stages in the order of their steps; at least one
 */
public record FeedFacts(Feed feed, List<FeedStage> stages) {
    public FeedFacts {
        stages = List.copyOf(stages);
    }

    public static FeedFacts of(Feed feed) {
        return new FeedFacts(
                feed,
                switch (feed) {
                    case TrainFeed train -> FeedStage.of(train);
                    case SequentialFeed list -> List.of(new FeedStage(0, 0, list.batch(), List.of()));
                });
    }

    public String name() {
        return feed.name();
    }

    /** The number of epochs; 1 where the feed is sequential. */
    public int epochs() {
        return feed instanceof TrainFeed train ? train.epochs() : 1;
    }

    public long totalSteps() {
        return feed.epochStart(epochs());
    }

    /** Rows of the feed. */
    public long poolRows() {
        return switch (feed) {
            case TrainFeed train ->
                train.strata().stream().mapToLong(Stratum::rows).sum();
            case SequentialFeed list -> list.rows();
        };
    }

    /** The names of the strata; empty in a sequential feed. */
    public List<String> strata() {
        return feed instanceof TrainFeed train
                ? train.strata().stream().map(Stratum::name).toList()
                : List.of();
    }

    /** The stage that begins at a step of the run; empty within a stage, and in a feed of one stage. */
    public Optional<FeedStage> stageThatBegins(long step) {
        if (stages.size() == 1) {
            return Optional.empty();
        }
        FeedStage wanted = new FeedStage(step, 0, 0, List.of());
        int found = Collections.binarySearch(stages, wanted, Comparator.comparingLong(FeedStage::step));
        return found < 0 ? Optional.empty() : Optional.of(stages.get(found));
    }
}
