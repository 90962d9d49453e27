package io.rankfeed.feeder.ring;

import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.EnvironmentException;
import java.util.Locale;

/** Limits the shared memory that the rings of this feeder may use together. */
public final class MemoryBudget {
    private final long limitBytes;
    private long takenBytes;

    public MemoryBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /**
     * Returns what the values of {@code fill} leave of the memory.
     *
     * @throws EnvironmentException if they need more
     */
    public static long afterFill(ByteSize memory, long filledBytes) {
        if (memory.bytes() < filledBytes) {
            throw new EnvironmentException("the columns that members lack need " + ByteSize.rounded(filledBytes)
                    + " for the values of fill, and --memory is " + ByteSize.rounded(memory.bytes())
                    + "; raise it, or export the versions with the same columns or smaller record batches");
        }
        return memory.bytes() - filledBytes;
    }

    /**
     * @param claim who needs it, with the verb
     * @throws EnvironmentException if that is more than is left
     */
    public synchronized void take(long bytes, String claim) {
        if (bytes > limitBytes - takenBytes) {
            throw new EnvironmentException(String.format(
                    Locale.ROOT,
                    "%s %,d bytes (%s) of shared memory, %,d (%s) of --memory are available; raise --memory, or %s",
                    claim,
                    bytes,
                    ByteSize.rounded(bytes),
                    limitBytes - takenBytes,
                    ByteSize.rounded(limitBytes - takenBytes),
                    SharedMemory.REMEDIES));
        }
        takenBytes += bytes;
    }

    public synchronized void giveBack(long bytes) {
        takenBytes -= bytes;
    }
}
