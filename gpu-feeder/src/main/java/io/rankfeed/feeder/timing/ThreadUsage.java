package io.rankfeed.feeder.timing;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The time in which the current thread waited in the kernel, by Linux's {@code getrusage(RUSAGE_THREAD)} and its clock of the thread.
 * A page that the kernel has begun to read ahead is no major fault, so voluntary context switches count, too. Waits for work are such
 * switches as well; so the counters must be read before work, which costs a microsecond or two. That is done only for a while after
 * slow work: the more often, the slower it was, and the longer it takes until the next slow work.
 */
final class ThreadUsage {
    private static final long NANOS_PER_READING = 50_000;
    private static final long MAX_READINGS = 10_000;
    private static final int RUSAGE_THREAD = 1;
    private static final int RUSAGE_BYTES = 144;
    private static final int MAJOR_FAULTS = 72;
    private static final int VOLUNTARY_SWITCHES = 128;
    private static final int CLOCK_THREAD_CPUTIME_ID = 3;
    private static final int TIMESPEC_BYTES = 16;
    private static final long NANOS = 1_000_000_000L;
    private static final MethodHandle GETRUSAGE = call("getrusage");
    private static final MethodHandle CLOCK_GETTIME = call("clock_gettime");
    private static final ThreadLocal<ThreadUsage> OF_THREAD = ThreadLocal.withInitial(ThreadUsage::new);

    private final MemorySegment usage = Arena.ofAuto().allocate(RUSAGE_BYTES, Long.BYTES);
    private final MemorySegment time = Arena.ofAuto().allocate(TIMESPEC_BYTES, Long.BYTES);
    private long granted;
    private long readings;
    private boolean isReadBefore;
    private long faults;
    private long newFaults;
    private long switches;
    private long idleNanos;

    private ThreadUsage() {
        readCounters();
    }

    static ThreadUsage ofThread() {
        return OF_THREAD.get();
    }

    /** Begins a piece of work. */
    void begin() {
        isReadBefore = readings > 0;
        if (isReadBefore) {
            readings--;
            readCounters();
            readTime();
        }
    }

    /**
     * Ends a slow piece of work.
     *
     * @return the part of it in which the thread waited in the kernel; all of it where page faults alone are known
     */
    long waitedOf(long nanos) {
        long switchesBefore = switches;
        long idleBefore = idleNanos;
        readCounters();
        readTime();
        long waited = 0;
        if (!isReadBefore) {
            granted = Math.min(MAX_READINGS, 2 * granted + nanos / NANOS_PER_READING);
            waited = newFaults > 0 ? nanos : 0;
        } else if (newFaults > 0 || switches > switchesBefore) {
            waited = Math.clamp(idleNanos - idleBefore, 0, nanos);
        } else {
            // It computed, or other programs had the processor.
            granted /= 2;
        }
        readings = granted;
        return waited;
    }

    /** Page faults since the counters were read the last time that were answered from a disk. */
    long readFaults() {
        readCounters();
        return newFaults;
    }

    /** The same at the last reading. */
    long newFaults() {
        return newFaults;
    }

    private void readCounters() {
        if (read(GETRUSAGE, RUSAGE_THREAD, usage)) {
            long before = faults;
            faults = usage.get(ValueLayout.JAVA_LONG, MAJOR_FAULTS);
            newFaults = faults - before;
            switches = usage.get(ValueLayout.JAVA_LONG, VOLUNTARY_SWITCHES);
        }
    }

    private void readTime() {
        if (read(CLOCK_GETTIME, CLOCK_THREAD_CPUTIME_ID, time)) {
            long used = time.get(ValueLayout.JAVA_LONG, 0) * NANOS + time.get(ValueLayout.JAVA_LONG, Long.BYTES);
            idleNanos = System.nanoTime() - used;
        }
    }

    private static boolean read(MethodHandle call, int what, MemorySegment result) {
        try {
            return (int) call.invokeExact(what, result) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("the usage of a thread cannot be read", e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle call(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }
}
