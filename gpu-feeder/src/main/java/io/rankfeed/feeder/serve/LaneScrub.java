package io.rankfeed.feeder.serve;

import io.rankfeed.feeder.cache.LaneCache;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Checks the record batches of mapped lanes in the background: all of them before their first use, then the sound ones
 * again in each epoch. The second check finds bits that flip later. It runs only while no batch is assembled, and takes
 * at most a twentieth of one processor.
 */
final class LaneScrub {
    private static final long PAUSES_PER_WORK = 19;
    private static final long MIN_PAUSE_NANOS = 100_000;
    /** Bounds the pause after the thread itself had to wait for a processor. */
    private static final long MAX_PAUSE_NANOS = 20_000_000;

    private final AtomicInteger assembling = new AtomicInteger();
    private final Set<LaneCache> due = new LinkedHashSet<>();
    private long resumedNanos;

    /** Starts the thread, which ends with the process. */
    void start(List<LaneCache> caches) {
        Thread.ofPlatform().daemon().name("verify").start(() -> run(caches));
    }

    /** Reports that a batch begins. */
    void begin(LaneCache cache, boolean isFirstOfEpoch) {
        assembling.incrementAndGet();
        if (isFirstOfEpoch) {
            synchronized (due) {
                due.add(cache);
                due.notifyAll();
            }
        }
    }

    /** Reports that a batch is complete or failed. */
    void end() {
        assembling.decrementAndGet();
    }

    private void run(List<LaneCache> caches) {
        for (LaneCache cache : caches) {
            while (cache.verifyAhead()) {}
        }
        try {
            while (true) {
                for (LaneCache cache : takeDue()) {
                    awaitIdle();
                    while (cache.verifyAgain(this::awaitIdle)) {}
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the start of an epoch. */
    private List<LaneCache> takeDue() throws InterruptedException {
        synchronized (due) {
            while (due.isEmpty()) {
                due.wait();
            }
            List<LaneCache> taken = new ArrayList<>(due);
            due.clear();
            return taken;
        }
    }

    private void awaitIdle() {
        long pauseNanos = Math.max(MIN_PAUSE_NANOS, PAUSES_PER_WORK * (System.nanoTime() - resumedNanos));
        do {
            LockSupport.parkNanos(this, Math.min(pauseNanos, MAX_PAUSE_NANOS));
        } while (assembling.get() > 0);
        resumedNanos = System.nanoTime();
    }
}
