package io.rankfeed.feeder.timing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Separates the reading of mapped files from the work on their bytes. Pages that are in memory cost next to nothing, so page faults
 * are asked for only where something took long.
 */
public final class ReadTimer {
    private static final long PAGE_BYTES = 4096;
    private static final long SLOW_NANOS = 100_000;

    private final StageTimer reads;

    public ReadTimer(StageTable stages) {
        reads = stages.stage(Stage.READ.id());
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
        if (nanos > SLOW_NANOS) {
            reads.addFaults(ThreadFaults.sinceLast());
        }
    }

    /**
     * Records work on mapped bytes that were not touched before: as reading if pages came from a disk meanwhile, which takes longer
     * than all other work, otherwise as the stage that it is.
     */
    public void record(StageTimer stage, long nanos) {
        long faults = nanos > SLOW_NANOS ? ThreadFaults.sinceLast() : 0;
        if (faults > 0) {
            reads.record(nanos);
            reads.addFaults(faults);
        } else {
            stage.record(nanos);
        }
    }
}
