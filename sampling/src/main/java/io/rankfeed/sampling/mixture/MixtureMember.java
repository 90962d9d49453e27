package io.rankfeed.sampling.mixture;

import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.util.ArrayList;
import java.util.List;

/**
 * An order as a member of a mixture.
 *
 * @param name the member's, as the weights name it
 * @param order a plan over one version
 */
public record MixtureMember(String name, TrainFeed order) {
    /**
     * A stage of a member.
     *
     * @param end units of the member's run up to its end
     * @param weights of the strata
     */
    record Part(long end, List<Long> weights) {}

    /** The feed of a version that the order draws from. */
    Member stored() {
        return order.members().get(0);
    }

    /** The member of the mixture, in which no cycle has the order of an export's default order. */
    Member member() {
        RowCycles cycles = stored().cycles() == RowCycles.LIST ? RowCycles.LIST : RowCycles.SHUFFLED;
        return new Member(name, stored().source(), stored().lanes(), cycles, stored().strata());
    }

    int strata() {
        return stored().strata().size();
    }

    /** Rows of the member's own run. */
    long rows() {
        return units() * order.lanes();
    }

    long units() {
        List<Part> parts = parts();
        return parts.get(parts.size() - 1).end();
    }

    /** The member's stages. The epochs of one stratum are none. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        long end = 0;
        for (Segment segment : order.segments()) {
            end += segment.quotas().stream().mapToLong(units -> units).sum();
            if (strata() == 1) {
                parts.clear();
            }
            parts.add(new Part(end, segment.quotas()));
        }
        return parts;
    }
}
