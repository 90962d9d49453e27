package io.rankfeed.feeder.serve;

import io.rankfeed.feeder.ring.RingLayout;
import io.rankfeed.feeder.ring.SharedMemory;

/** Tells before a trainer starts whether the rings of a known world fit into shared memory. */
final class SpaceCheck {
    private SpaceCheck() {}

    /** @throws io.rankfeed.schema.failure.EnvironmentException if they do not; with needed and available bytes */
    static void require(Catalog catalog, ServeSettings settings, SharedMemory memory) {
        if (settings.world().isEmpty()) {
            return;
        }
        int world = settings.world().getAsInt();
        long neededBytes = 0;
        int rings = 0;
        for (String feed : settings.feeds()) {
            for (int rank : settings.ranks().headSet(world)) {
                neededBytes = Math.addExact(neededBytes, ringBytes(catalog, settings, feed, rank, world));
                rings++;
            }
        }
        String what = rings + " rings of depth " + settings.slots();
        new MemoryBudget(settings.memoryBytes()).take(neededBytes, what);
        memory.require(neededBytes, what);
    }

    private static long ringBytes(Catalog catalog, ServeSettings settings, String feed, int rank, int world) {
        try (BatchSource source = catalog.open(feed, rank, world, settings.columnsOf(feed))) {
            return RingLayout.of(settings.slots(), source.tensors(), source.slotBytes())
                    .lengthBytes();
        }
    }
}
