package io.rankfeed.feeder.timing;

/**
 * The time in which the current thread waited in the kernel. A page that the kernel has begun to read ahead is no major fault, so
 * voluntary context switches count, too. Waits for work are such switches as well; so the counters must be read before work, which costs
 * a microsecond or two. That is done only for a while after slow work: the more often, the slower it was, and the longer it takes until
 * the next slow work.
 */
final class ThreadUsage {
    private static final long NANOS_PER_READING = 50_000;
    private static final long MAX_READINGS = 10_000;
    private static final ThreadLocal<ThreadUsage> OF_THREAD =
            ThreadLocal.withInitial(() -> new ThreadUsage(new KernelCounters()));

    private final ThreadCounters counters;
    private long granted;
    private long readings;
    private boolean isReadBefore;
    private long faults;
    private long newFaults;
    private long switches;
    private long idleNanos;

    ThreadUsage(ThreadCounters counters) {
        this.counters = counters;
        readFaults();
    }

    static ThreadUsage ofThread() {
        return OF_THREAD.get();
    }

    /** Begins a piece of work. */
    void begin() {
        isReadBefore = readings > 0;
        if (isReadBefore) {
            readings--;
            readFaults();
            idleNanos = counters.idleNanos();
        }
    }

    /**
     * Ends a slow piece of work.
     *
     * @return the part of it in which the thread waited in the kernel; 0 where the counters were not read before it
     */
    long waitedOf(long nanos) {
        long waited = 0;
        if (isReadBefore) {
            long switchesBefore = switches;
            readFaults();
            if (newFaults > 0 || switches > switchesBefore) {
                waited = Math.clamp(counters.idleNanos() - idleNanos, 0, nanos);
            } else {
                // It computed, or other programs had the processor.
                granted /= 2;
            }
        } else {
            granted = Math.min(MAX_READINGS, 2 * granted + nanos / NANOS_PER_READING);
        }
        readings = granted;
        return waited;
    }

    /** Page faults since the counters were read the last time that were answered from a disk. */
    long readFaults() {
        long before = faults;
        counters.read();
        faults = counters.faults();
        newFaults = faults - before;
        switches = counters.switches();
        return newFaults;
    }

    /** The same at the last reading. */
    long newFaults() {
        return newFaults;
    }
}
