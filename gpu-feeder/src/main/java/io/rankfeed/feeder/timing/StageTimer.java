package io.rankfeed.feeder.timing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Durations of one stage, as a count, a sum and a histogram in shared memory (docs/format/ring.md, section 7). Any thread may
 * record; a record is three atomic additions. Readers may see one of them before the others.
 */
public final class StageTimer {
    /** Bytes of an entry. */
    public static final int BYTES = 448;

    /** Buckets of the histogram; the last one has no upper bound. */
    public static final int BUCKETS = 36;

    static final int COUNT = 64;
    static final int NANOS = 72;
    private static final int AMOUNT = 80;
    private static final int FAULTS = 88;
    static final int PROCESSES = 96;
    static final int FIRST_BUCKET = 128;
    private static final long SMALLEST_NANOS = 125;
    private static final VarHandle LONG =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private final long offset;
    private MemorySegment entry;

    /**
     * @param entry {@link #BYTES} long, aligned to 8 bytes
     * @param offset of the entry in its table
     */
    StageTimer(MemorySegment entry, long offset) {
        this.entry = entry;
        this.offset = offset;
    }

    long offset() {
        return offset;
    }

    /** Continues in another entry; not while another thread records. */
    void moveTo(MemorySegment other) {
        MemorySegment.copy(entry, 0, other, 0, BYTES);
        entry = other;
    }

    /** Adds page faults that were answered from a disk. */
    void addFaults(long count) {
        if (count > 0) {
            add(FAULTS, count);
        }
    }

    /** @param nanos 0 or more; a negative duration counts as 0 */
    public void record(long nanos) {
        record(nanos, 0);
    }

    /** @param amount what the stage handled in this time: bytes, if the stage is about bytes */
    public void record(long nanos, long amount) {
        long time = Math.max(0, nanos);
        add(COUNT, 1);
        add(NANOS, time);
        add(FIRST_BUCKET + Long.BYTES * bucket(time), 1);
        if (amount > 0) {
            add(AMOUNT, amount);
        }
    }

    /** The bucket of a duration: bucket b holds those above 125 · 2^(b−1) ns and up to 125 · 2^b ns. */
    static int bucket(long nanos) {
        long units = Math.max(0, nanos - 1) / SMALLEST_NANOS;
        return Math.min(Long.SIZE - Long.numberOfLeadingZeros(units), BUCKETS - 1);
    }

    /** The longest duration of a bucket but the last one, in nanoseconds. */
    public static long upperNanos(int bucket) {
        return SMALLEST_NANOS << bucket;
    }

    private void add(int offset, long value) {
        LONG.getAndAdd(entry, (long) offset, value);
    }
}
