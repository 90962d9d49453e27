package io.rankfeed.feeder.timing;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Linux's {@code getrusage(RUSAGE_THREAD)} and its clock of the thread. */
final class KernelCounters implements ThreadCounters {
    private static final int RUSAGE_THREAD = 1;
    private static final int RUSAGE_BYTES = 144;
    private static final int MAJOR_FAULTS = 72;
    private static final int BLOCKS_READ = 88;
    /** The unit of ru_inblock, whatever the device. */
    private static final int BLOCK_BYTES = 512;

    private static final int VOLUNTARY_SWITCHES = 128;
    private static final int CLOCK_THREAD_CPUTIME_ID = 3;
    private static final int TIMESPEC_BYTES = 16;
    private static final long NANOS = 1_000_000_000L;
    private static final MethodHandle GETRUSAGE = call("getrusage");
    private static final MethodHandle CLOCK_GETTIME = call("clock_gettime");

    private final MemorySegment usage = Arena.ofAuto().allocate(RUSAGE_BYTES, Long.BYTES);
    private final MemorySegment time = Arena.ofAuto().allocate(TIMESPEC_BYTES, Long.BYTES);
    private long idleNanos;

    @Override
    public void read() {
        call(GETRUSAGE, RUSAGE_THREAD, usage);
    }

    @Override
    public long faults() {
        return usage.get(ValueLayout.JAVA_LONG, MAJOR_FAULTS);
    }

    @Override
    public long diskBytes() {
        return BLOCK_BYTES * usage.get(ValueLayout.JAVA_LONG, BLOCKS_READ);
    }

    @Override
    public long switches() {
        return usage.get(ValueLayout.JAVA_LONG, VOLUNTARY_SWITCHES);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long idleNanos() {
        if (call(CLOCK_GETTIME, CLOCK_THREAD_CPUTIME_ID, time)) {
            long used = time.get(ValueLayout.JAVA_LONG, 0) * NANOS + time.get(ValueLayout.JAVA_LONG, Long.BYTES);
            idleNanos = System.nanoTime() - used;
        }
        return idleNanos;
    }

    private static boolean call(MethodHandle call, int what, MemorySegment result) {
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
