package io.rankfeed.schema.order;

import java.util.List;

/**
 * The rows of a feed that a version stores; its lanes follow from them.
 *
 * @param lanes U, the stored lanes
 * @param strata sorted by name; empty for a sequential feed
 */
public record StoredFeed(String name, int lanes, List<Stratum> strata, long rows) {
    public StoredFeed {
        strata = List.copyOf(strata);
    }

    /** The rows of a train feed. */
    public static StoredFeed of(String name, int lanes, List<Stratum> strata) {
        return new StoredFeed(
                name, lanes, strata, strata.stream().mapToLong(Stratum::rows).sum());
    }

    static StoredFeed of(Feed feed) {
        if (feed instanceof TrainFeed train) {
            Member only = train.members().get(0);
            return of(train.name(), only.lanes(), only.strata());
        }
        return new StoredFeed(feed.name(), feed.lanes(), List.of(), ((SequentialFeed) feed).rows());
    }
}
