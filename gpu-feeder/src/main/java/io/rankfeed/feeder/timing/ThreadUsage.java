package io.rankfeed.feeder.timing;

/**
 * The time in which the current thread waited in the kernel. A page that the kernel has begun to read ahead is no major fault, so
 * voluntary context switches count, too. Waits for work are such switches as well; so the counters must be read before work, which costs
 * a microsecond or two. That is done once a millisecond, and for a while after slow work: the more often, the slower it was, and the longer
 * it takes until the next slow work. Slow work in between counts as a wait where pages were read from a disk.
 */
final class ThreadUsage {
    private static final long STALE_NANOS = 1_000_000;
    private static final long NANOS_PER_READING = 50_000;
    private static final long MAX_READINGS = 10_000;
    private static final ThreadLocal<ThreadUsage> OF_THREAD =
            ThreadLocal.withInitial(() -> new ThreadUsage(new KernelCounters()));

    private final ThreadCounters counters;
    private long granted;
    private long readings;
    private boolean isExpected;
    private boolean isReadBefore;
    private long begunNanos;
    private long readNanos;
    private long faults;
    private long newFaults;
    private long diskBytes;
    private boolean isSkipping;
    private long switches;
    private long idleNanos;

    ThreadUsage(ThreadCounters counters) {
        this.counters = counters;
        readFaults();
        takeDiskBytes();
    }

    static ThreadUsage ofThread() {
        return OF_THREAD.get();
    }

    /** Begins a piece of work. */
    void begin() {
        begunNanos = counters.nanos();
        isExpected = readings > 0;
        isReadBefore = isExpected || isSkipping || begunNanos - readNanos > STALE_NANOS;
        if (isExpected) {
            readings--;
        }
        if (isReadBefore) {
            readFaults();
        }
        if (isSkipping) {
            takeDiskBytes();
            isSkipping = false;
        }
    }

    /**
     * Ends a slow piece of work.
     *
     * @return the part of it in which the thread waited in the kernel
     */
    long waitedOf(long nanos) {
        long switchesBefore = switches;
        long idleBefore = idleNanos;
        // Between the last reading and the work, the thread may have waited for the work.
        long before = Math.max(0, begunNanos - readNanos);
        readFaults();
        boolean hasWaited = newFaults > 0 || (isReadBefore && switches > switchesBefore);
        if (isReadBefore && !hasWaited) {
            // It computed, or other programs had the processor.
            granted /= 2;
        } else if (!isExpected) {
            granted = Math.min(MAX_READINGS, 2 * granted + nanos / NANOS_PER_READING);
        }
        readings = granted;
        return hasWaited ? Math.clamp(idleNanos - idleBefore - before, 0, nanos) : 0;
    }

    /** Page faults since the counters were read the last time that were answered from a disk. */
    long readFaults() {
        long faultsBefore = faults;
        counters.read();
        faults = counters.faults();
        newFaults = faults - faultsBefore;
        switches = counters.switches();
        idleNanos = counters.idleNanos();
        readNanos = counters.nanos();
        return newFaults;
    }

    /** The same at the last reading. */
    long newFaults() {
        return newFaults;
    }

    /** Returns the bytes that the thread read from block devices between the previous call and the last reading. */
    long takeDiskBytes() {
        long before = diskBytes;
        diskBytes = counters.diskBytes();
        return diskBytes - before;
    }

    /** Leaves out the bytes that are read until the next piece of work begins. */
    void skipDiskBytes() {
        isSkipping = true;
    }
}
