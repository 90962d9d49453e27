package io.rankfeed.feeder.serve.admission;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts what one rank took of one feed, over all its connections. Written by one session at a time, read by anyone.
 * Time is monotonic nanoseconds. A batch counts when its slot comes back; at an orderly end after the last step also the
 * slots that the client kept.
 */
public final class Meter {
    /** A trainer that has at most this number of slots is starved: it computes on one, and has no other to take. */
    private static final int STARVING_SLOTS = 1;

    private final List<StepRange> ranges = new ArrayList<>();
    private long rows;
    private long steps;
    private long connections;
    private long activeNanos;
    private long starvedNanos;
    private long waitedNanos;
    private boolean isWaitReported;
    private long firstReadyAt;
    private long lastTakenAt;
    private long starvingSince;
    private boolean isActive;
    private boolean isStarving;
    private long rangeStart;
    private long rangeSteps;

    /** A range of steps [from, to), each of which was taken once. */
    record StepRange(long from, long to) {}

    /** Records that a client attached; its first step is {@code step}. */
    public synchronized void attached(long step) {
        connections++;
        rangeStart = step;
        rangeSteps = 0;
        isActive = false;
        isStarving = false;
    }

    /** Records that a batch was handed over; the client now has {@code lent} slots. */
    public synchronized void ready(int lent, long nowNanos) {
        if (!isActive) {
            isActive = true;
            firstReadyAt = nowNanos;
            lastTakenAt = nowNanos;
        }
        fed(lent, nowNanos);
    }

    /** Records that a slot of the current stream came back; its batch had {@code batchRows} rows. */
    public synchronized void taken(long batchRows, int lent, long nowNanos) {
        rows += batchRows;
        steps++;
        rangeSteps++;
        lastTakenAt = nowNanos;
        fed(lent, nowNanos);
    }

    /** Records that a client left with batches that it took but did not release, which had {@code batchRows} rows. */
    public synchronized void takenAtEnd(int batches, long batchRows, long nowNanos) {
        rows += batchRows;
        steps += batches;
        rangeSteps += batches;
        lastTakenAt = nowNanos;
    }

    private void fed(int lent, long nowNanos) {
        boolean starving = lent <= STARVING_SLOTS;
        if (isStarving && !starving) {
            starvedNanos += nowNanos - starvingSince;
        }
        if (starving && !isStarving) {
            starvingSince = nowNanos;
        }
        isStarving = starving;
    }

    /** Ends the measurement of starvation: every step was handed over, so an empty queue no longer means starvation. */
    public synchronized void ended(long nowNanos) {
        if (isStarving) {
            starvedNanos += nowNanos - starvingSince;
            isStarving = false;
        }
    }

    /** Records that the client continues at another step. */
    public synchronized void sought(long step) {
        closeRange();
        rangeStart = step;
    }

    /** Adds the time that the client reports to have waited for batches; 0 if it reports none. */
    public synchronized void reported(long nanosWaited) {
        if (nanosWaited > 0) {
            waitedNanos += nanosWaited;
            isWaitReported = true;
        }
    }

    /** Records that the client left. */
    public synchronized void detached() {
        closeRange();
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
        long waited = isWaitReported ? waitedNanos : starvedNanos;
        return new Reading(rows, steps, connections, active, Math.min(waited, active), isWaitReported, all);
    }

    /**
     * @param activeNanos from the first batch handed over to the last one taken
     * @param waitedNanos as the trainers reported it, else the time in which at most one slot was with the trainer: an upper
     *     bound
     * @param isWaitReported whether the trainers reported it
     */
    record Reading(
            long rows,
            long steps,
            long connections,
            long activeNanos,
            long waitedNanos,
            boolean isWaitReported,
            List<StepRange> ranges) {}
}
