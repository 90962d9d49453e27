package io.rankfeed.sampling.mixture;

import io.rankfeed.schema.order.Segment;
import java.util.List;

/**
 * The numbers of a mixture: an order whose strata are those of its members, member after member.
 *
 * @param lanes V, the greatest common divisor of the members' stored lanes
 * @param epochs of which the last may be shorter
 */
public record PlannedMixture(int lanes, int batch, int epochs, int stepsPerEpoch, List<Segment> segments) {
    public PlannedMixture {
        segments = List.copyOf(segments);
    }
}
