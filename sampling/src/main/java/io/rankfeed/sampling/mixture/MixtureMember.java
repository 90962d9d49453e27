package io.rankfeed.sampling.mixture;

import io.rankfeed.schema.order.Segment;
import java.util.ArrayList;
import java.util.List;

/**
 * An order as a member of a mixture.
 *
 * @param storedLanes lanes of its version
 * @param lanes of its order
 * @param segments of its order
 */
public record MixtureMember(int storedLanes, int lanes, List<Segment> segments) {
    /**
     * A stage of a member.
     *
     * @param end units of the member's run up to its end
     * @param weights of the strata
     */
    record Part(long end, List<Long> weights) {}

    public MixtureMember {
        segments = List.copyOf(segments);
    }

    int strata() {
        return segments.get(0).quotas().size();
    }

    /** Rows of the member's own run. */
    long rows() {
        return units() * lanes;
    }

    long units() {
        List<Part> parts = parts();
        return parts.get(parts.size() - 1).end();
    }

    /** The member's stages. The epochs of one stratum are none. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        long end = 0;
        for (Segment segment : segments) {
            end += segment.quotas().stream().mapToLong(units -> units).sum();
            if (strata() == 1) {
                parts.clear();
            }
            parts.add(new Part(end, segment.quotas()));
        }
        return parts;
    }
}
