package io.rankfeed.feeder.serve;

import io.rankfeed.schema.failure.EnvironmentException;
import java.util.Locale;

/** How much shared memory the rings of this feeder may take together. */
final class MemoryBudget {
    private final long limitBytes;
    private long takenBytes;

    MemoryBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** @throws EnvironmentException if that is more than is left */
    synchronized void take(long bytes, String what) {
        if (bytes > limitBytes - takenBytes) {
            throw new EnvironmentException(String.format(
                    Locale.ROOT,
                    "%s needs %,d bytes of shared memory, %,d of --memory are available; raise --memory or lower --depth",
                    what,
                    bytes,
                    limitBytes - takenBytes));
        }
        takenBytes += bytes;
    }

    synchronized void giveBack(long bytes) {
        takenBytes -= bytes;
    }
}
