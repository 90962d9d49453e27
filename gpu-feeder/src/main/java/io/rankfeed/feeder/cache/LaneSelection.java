package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;

/**
 * The lanes that a node needs: those of its ranks (lane l belongs to rank l mod world), and always the shared rows.
 *
 * @param ranks global ranks of this node
 * @param world ranks in all
 */
public record LaneSelection(List<Integer> ranks, int world) {
    /** @throws ConfigException if a rank is not in the world */
    public LaneSelection {
        ranks = List.copyOf(ranks);
        for (int rank : ranks) {
            if (rank < 0 || rank >= world) {
                throw new ConfigException("rank " + rank + " is not one of the world's ranks 0 to " + (world - 1));
            }
        }
    }

    /** Selects every lane: for a node that may serve any rank of any world. */
    public static LaneSelection all() {
        return new LaneSelection(List.of(0), 1);
    }

    public boolean contains(int lane) {
        return lane == LaneLayout.SHARED || ranks.contains(lane % world);
    }
}
