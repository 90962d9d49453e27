package io.rankfeed.feeder.timing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;

/**
 * Separates the reading of mapped files from the work on their bytes. Pages that are in memory cost next to nothing, so the kernel is asked
 * only where something took long.
 */
public final class ReadTimer {
    private static final long PAGE_BYTES = 4096;
    private static final long SLOW_NANOS = 100_000;

    /** A copy of a shard takes less; a wait for a disk that limits a feed takes more. */
    private static final long SLOW_WORK_NANOS = 300_000;

    private final StageTimer reads;
    private final Supplier<ThreadUsage> usages;

    public ReadTimer(StageTable stages) {
        this(stages, ThreadUsage::ofThread);
    }

    /** @param usages gives the usage of the current thread */
    ReadTimer(StageTable stages, Supplier<ThreadUsage> usages) {
        reads = stages.stage(Stage.READ.id());
        this.usages = usages;
    }

    /** Reads a range of a mapped file by touching each of its pages, and records the time. */
    public void touch(MemorySegment file, long offset, long bytes) {
        long begun = System.nanoTime();
        int sum = 0;
        for (long at = 0; at < bytes; at += PAGE_BYTES) {
            sum += file.get(ValueLayout.JAVA_BYTE, offset + at);
        }
        if (bytes > 0) {
            sum += file.get(ValueLayout.JAVA_BYTE, offset + bytes - 1);
        }
        long nanos = System.nanoTime() - begun;
        // The sum of so few bytes is never that number, but the JVM cannot know it and leave the reads out.
        reads.record(nanos, sum == Integer.MIN_VALUE ? 0 : bytes);
        ThreadUsage usage = usages.get();
        if (nanos > SLOW_NANOS) {
            reads.addFaults(usage.readFaults());
        }
        // These bytes are recorded already.
        usage.skipDiskBytes();
    }

    /** Begins work on mapped bytes that were not touched before; {@link #record} or {@link #withoutWaits} ends it. */
    public void begin() {
        usages.get().begin();
    }

    /** Records work on mapped bytes: the part in which the thread waited for pages as reading, the rest as the stage that it is. */
    public void record(StageTimer stage, long nanos) {
        stage.record(withoutWaits(nanos));
    }

    /**
     * Records the part of work on mapped bytes in which the thread waited for pages as reading, together with the bytes that it read from
     * block devices.
     *
     * @return the rest
     */
    public long withoutWaits(long nanos) {
        if (nanos <= SLOW_WORK_NANOS) {
            return nanos;
        }
        ThreadUsage usage = usages.get();
        long waited = usage.waitedOf(nanos);
        if (waited > 0) {
            reads.record(waited, usage.takeDiskBytes());
            reads.addFaults(usage.newFaults());
        }
        return nanos - waited;
    }
}
