package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.ring.MemoryBudget;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.serve.protocol.WireBuffers;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Reports before a version is copied whether the rings fit into shared memory. The rings of all ranks together take nearly the
 * same at every world size, so that one as large as the lanes allow stands for a world that is not known yet.
 */
public final class SpaceCheck {
    private SpaceCheck() {}

    /** The rings of all feeds and ranks. */
    private record Rings(int count, long bytes) {}

    /**
     * @param log receives each feed whose size depends on the request of a trainer
     * @return the bytes that rings and connection buffers take
     * @throws io.rankfeed.schema.failure.EnvironmentException if they do not fit; with needed and available bytes
     */
    public static long require(Catalog catalog, ServeSettings settings, SharedMemory memory, Consumer<String> log) {
        Rings rings = rings(catalog, settings, settings.minSlots(), log);
        String claim = rings.count + (rings.count == 1 ? " ring" : " rings") + " of depth " + settings.minSlots()
                + (rings.count == 1 ? " needs" : " need");
        long withBuffers = Math.addExact(rings.bytes, rings.count * WireBuffers.PAIR_BYTES);
        new MemoryBudget(settings.memoryBytes()).take(withBuffers, claim);
        if (settings.hasPipelines() && settings.memoryBytes() - withBuffers < DecodeBudget.MIN_BYTES) {
            throw new EnvironmentException(claim + " " + ByteSize.rounded(withBuffers) + " and image steps at least "
                    + ByteSize.rounded(DecodeBudget.MIN_BYTES) + ", --memory is "
                    + ByteSize.rounded(settings.memoryBytes() + settings.filledBytes())
                    + (settings.filledBytes() > 0
                            ? ", and the values of fill take " + ByteSize.rounded(settings.filledBytes()) + " of it"
                            : "")
                    + "; raise it, or " + SharedMemory.REMEDIES);
        }
        memory.require(rings.bytes, claim);
        long deepest = rings(catalog, settings, settings.slots(), line -> {}).bytes;
        return Math.max(withBuffers, Math.min(deepest, chosenBytes(settings, memory)));
    }

    /** What all rings may take together where memory decides on their depth: half of it, and less where images need it. */
    static long chosenBytes(ServeSettings settings, SharedMemory memory) {
        long half = Math.min(settings.memoryBytes(), memory.availableBytes()) / 2;
        return settings.hasPipelines() ? Math.min(half, settings.memoryBytes() - DecodeBudget.MIN_BYTES) : half;
    }

    private static Rings rings(Catalog catalog, ServeSettings settings, int slots, Consumer<String> log) {
        long bytes = 0;
        int count = 0;
        for (String feed : settings.feeds()) {
            int world = settings.world().orElse(catalog.lanes(feed));
            int ranks = settings.ranks().headSet(world).size();
            if (ranks > 0) {
                OptionalLong ringBytes = ringBytes(catalog, settings, feed, world, slots, log);
                if (ringBytes.isPresent()) {
                    bytes = Math.addExact(bytes, Math.multiplyExact(ringBytes.getAsLong(), (long) ranks));
                    count += ranks;
                }
            }
        }
        return new Rings(count, bytes);
    }

    /** The bytes of one ring, which are equal for all ranks of a feed. Empty if the table has more columns than a ring can have. */
    private static OptionalLong ringBytes(
            Catalog catalog, ServeSettings settings, String feed, int world, int slots, Consumer<String> log) {
        try {
            return OptionalLong.of(catalog.ringBytes(feed, world, slots, settings.columnsOf(feed)));
        } catch (ConfigException e) {
            if (settings.columnsOf(feed).columns().isPresent()) {
                throw e;
            }
            // Nobody has asked for every column yet; a trainer that does is refused with these words.
            log.accept("feed '" + feed + "' with every column: " + e.getMessage());
            return OptionalLong.empty();
        }
    }
}
