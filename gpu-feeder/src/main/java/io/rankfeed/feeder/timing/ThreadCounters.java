package io.rankfeed.feeder.timing;

/** What the kernel counts of the current thread. */
interface ThreadCounters {
    /** Reads the counters. */
    void read();

    /** Page faults that were answered from a disk, at the last reading. */
    long faults();

    /** Bytes that were read from block devices, those read ahead included, at the last reading. */
    long diskBytes();

    /** Voluntary context switches, at the last reading. */
    long switches();

    /** The monotonic clock. */
    long nanos();

    /** A clock that stands still while the thread has a processor. */
    long idleNanos();
}
