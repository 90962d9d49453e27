package io.rankfeed.feeder.serve;

import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.ring.SharedMemory;

/**
 * Tells before a trainer starts whether the rings fit into shared memory. The rings of all ranks together take nearly the
 * same at every world size, so that one as large as the lanes allow stands for a world that is not known yet.
 */
final class SpaceCheck {
    private SpaceCheck() {}

    /** @throws io.rankfeed.schema.failure.EnvironmentException if they do not; with needed and available bytes */
    static void require(Catalog catalog, ServeSettings settings, SharedMemory memory) {
        long neededBytes = 0;
        int rings = 0;
        for (String feed : settings.feeds()) {
            int world = settings.world().orElse(catalog.lanes(feed));
            int ranks = settings.ranks().headSet(world).size();
            if (ranks > 0) {
                long ringBytes = ringBytes(catalog, settings, feed, world);
                neededBytes = Math.addExact(neededBytes, Math.multiplyExact(ringBytes, (long) ranks));
                rings += ranks;
            }
        }
        String what = rings + " rings of depth " + settings.slots();
        new MemoryBudget(settings.memoryBytes()).take(neededBytes, what);
        memory.require(neededBytes, what);
    }

    /** Of one ring: all ranks of a feed have the same. */
    private static long ringBytes(Catalog catalog, ServeSettings settings, String feed, int world) {
        int rank = settings.ranks().first();
        try (BatchSource source = catalog.open(feed, rank, world, settings.columnsOf(feed))) {
            return RingLayout.of(settings.slots(), source.tensors(), source.slotBytes())
                    .lengthBytes();
        }
    }
}
