package io.rankfeed.feeder.timing;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Major page faults of the current thread: pages that were read from a disk. Linux's {@code getrusage(RUSAGE_THREAD)}. */
final class ThreadFaults {
    private static final int RUSAGE_THREAD = 1;
    private static final int RUSAGE_BYTES = 144;
    private static final int MAJOR_FAULTS = 72;
    private static final MethodHandle GETRUSAGE = getrusage();
    private static final ThreadLocal<ThreadFaults> OF_THREAD = ThreadLocal.withInitial(ThreadFaults::new);

    private final MemorySegment usage = Arena.ofAuto().allocate(RUSAGE_BYTES, Long.BYTES);
    private long seen;

    private ThreadFaults() {
        seen = count();
    }

    /** Faults of this thread since it asked the last time; 0 at its first call. */
    static long sinceLast() {
        ThreadFaults mine = OF_THREAD.get();
        long now = mine.count();
        long since = now - mine.seen;
        mine.seen = now;
        return since;
    }

    private long count() {
        try {
            int failed = (int) GETRUSAGE.invokeExact(RUSAGE_THREAD, usage);
            return failed == 0 ? usage.get(ValueLayout.JAVA_LONG, MAJOR_FAULTS) : 0;
        } catch (Throwable e) {
            throw new IllegalStateException("getrusage", e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle getrusage() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("getrusage"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }
}
