package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.ArtifactFile;
import java.util.List;
import java.util.Set;

/**
 * The lanes that a node needs: those of its ranks (lane l belongs to rank l mod world), and always the shared rows.
 *
 * @param ranks global ranks of this node
 * @param world ranks in all
 * @param feeds whose lanes are needed; empty: those of all feeds
 */
public record LaneSelection(List<Integer> ranks, int world, Set<String> feeds) {
    /** @throws ConfigException if a rank is not in the world */
    public LaneSelection {
        ranks = List.copyOf(ranks);
        feeds = Set.copyOf(feeds);
        for (int rank : ranks) {
            if (rank < 0 || rank >= world) {
                throw new ConfigException("rank " + rank + " is not one of the world's ranks 0 to " + (world - 1));
            }
        }
    }

    /** Selects lanes of all feeds. */
    public LaneSelection(List<Integer> ranks, int world) {
        this(ranks, world, Set.of());
    }

    /** Selects every lane: for a node that may serve any rank of any world. */
    public static LaneSelection all() {
        return new LaneSelection(List.of(0), 1);
    }

    /** Returns this selection for the lanes of some feeds alone. */
    LaneSelection of(Set<String> names) {
        return new LaneSelection(ranks, world, names);
    }

    /** The size of those files that are of selected lanes. */
    long bytes(List<ArtifactFile> files) {
        return files.stream()
                .filter(file ->
                        LaneFileName.parse(file.path()).filter(this::contains).isPresent())
                .mapToLong(ArtifactFile::bytes)
                .reduce(0, Math::addExact);
    }

    public boolean contains(LaneFileName file) {
        return (feeds.isEmpty() || feeds.contains(file.feed())) && contains(file.lane());
    }

    public boolean contains(int lane) {
        return lane == LaneLayout.SHARED || ranks.contains(lane % world);
    }
}
