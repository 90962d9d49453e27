package io.rankfeed.feeder.serve.admission;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts what one rank took of one feed, over all its connections. Written by one session at a time, read by anyone.
 * Time is monotonic nanoseconds. A batch counts when its slot comes back; at an orderly end after the last step also the
 * slots that the client kept.
 */
public final class Meter {
    private final List<StepRange> ranges = new ArrayList<>();
    private long rows;
    private long steps;
    private long connections;
    private long activeNanos;
    private long firstReadyAt;
    private long lastTakenAt;
    private boolean isActive;
    private long rangeStart;
    private long rangeSteps;
    private int lentSlots;

    /** Records that a client attached; its first step is {@code step}. */
    public synchronized void attached(long step) {
        connections++;
        rangeStart = step;
        rangeSteps = 0;
        lentSlots = 0;
        isActive = false;
    }

    /** Records that a batch was handed over. */
    public synchronized void ready(long nowNanos) {
        lentSlots++;
        if (!isActive) {
            isActive = true;
            firstReadyAt = nowNanos;
            lastTakenAt = nowNanos;
        }
    }

    /** Records that a slot of the current stream came back; its batch had {@code batchRows} rows. */
    public synchronized void taken(long batchRows, long nowNanos) {
        lentSlots--;
        rows += batchRows;
        steps++;
        rangeSteps++;
        lastTakenAt = nowNanos;
    }

    /** Records that a client left with batches that it took but did not release, which had {@code batchRows} rows. */
    public synchronized void takenAtEnd(int batches, long batchRows, long nowNanos) {
        rows += batchRows;
        steps += batches;
        rangeSteps += batches;
        lastTakenAt = nowNanos;
    }

    /** Records that the client continues at another step. */
    public synchronized void sought(long step) {
        closeRange();
        rangeStart = step;
        lentSlots = 0;
    }

    /** Records that the client left. */
    public synchronized void detached() {
        closeRange();
        lentSlots = 0;
        if (isActive) {
            activeNanos += lastTakenAt - firstReadyAt;
            isActive = false;
        }
    }

    private void closeRange() {
        if (rangeSteps > 0) {
            StepRange range = new StepRange(rangeStart, rangeStart + rangeSteps);
            StepRange last = ranges.isEmpty() ? range : ranges.getLast();
            if (!ranges.isEmpty() && last.to() == range.from()) {
                ranges.set(ranges.size() - 1, new StepRange(last.from(), range.to()));
            } else {
                ranges.add(range);
            }
        }
        rangeSteps = 0;
    }

    /** Returns the counts so far, also while a client is attached. */
    public synchronized Reading read() {
        List<StepRange> all = new ArrayList<>(ranges);
        if (rangeSteps > 0) {
            all.add(new StepRange(rangeStart, rangeStart + rangeSteps));
        }
        long active = activeNanos + (isActive ? lastTakenAt - firstReadyAt : 0);
        return new Reading(rows, steps, connections, lentSlots, active, all);
    }

    /**
     * @param lentSlots slots of the current stream that the client has, or that were announced to it
     * @param activeNanos from the first batch handed over to the last one taken
     */
    record Reading(long rows, long steps, long connections, int lentSlots, long activeNanos, List<StepRange> ranges) {}
}
