package io.rankfeed.sampling.mixture;

import io.rankfeed.schema.order.TrainFeed;
import java.util.List;

/**
 * A planned mixture: an order whose strata are those of its members, member after member.
 *
 * @param feed its numbers
 * @param taken by member, sorted by name
 */
public record PlannedMixture(TrainFeed feed, List<Taken> taken) {
    public PlannedMixture {
        taken = List.copyOf(taken);
    }

    /**
     * What a mixture takes of a member.
     *
     * @param rows of the member's own run
     * @param taken rows that the mixture takes of it
     */
    public record Taken(String member, long rows, long taken) {
        /** The rows that it takes after the end of the member's own run. */
        public long repeated() {
            return Math.max(0, taken - rows);
        }
    }
}
