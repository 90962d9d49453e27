package io.rankfeed.feeder.governor;

import io.rankfeed.feeder.diagnose.FeedDiagnosis;
import io.rankfeed.feeder.timing.StageTable;
import io.rankfeed.feeder.timing.StageTimes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Random;

/** A feeder, a ring and a trainer with a simulated clock: each batch takes what the trace says, times a random factor. */
final class SimulatedFeed {
    static final int MAX_READ_AHEAD = 8;
    private static final int ROWS = 64;

    private final Trace trace;
    private final double noise;
    private final Random random;
    private final StageTable stages = new StageTable();
    private final MemorySegment memory = MemorySegment.ofArray(new long[StageTable.BYTES / Long.BYTES]);
    /** When the last batches were given back; the oldest first. */
    private final ArrayDeque<Double> released = new ArrayDeque<>();

    private double filled;
    private double now;
    private int batches;

    /** @param noise 0.3: durations differ by up to 30 % from the trace */
    SimulatedFeed(Trace trace, double noise, long seed) {
        this.trace = trace;
        this.noise = noise;
        random = new Random(seed);
        stages.moveTo(memory);
    }

    /** @return the batches that a trainer takes in a second */
    double run(int count, Tuning tuning) {
        double begun = now;
        for (int i = 0; i < count; i++) {
            one(tuning);
        }
        return count / (now - begun);
    }

    private void one(Tuning tuning) {
        double load = trace.load().seconds(tuning.workers(), batches) * factor();
        double step = trace.step() * factor();
        // A batch is begun when at most as many batches as are read ahead are not given back.
        while (released.size() > tuning.readAhead() + 1) {
            released.removeFirst();
        }
        double free = released.size() <= tuning.readAhead() ? 0 : released.getFirst();
        double begun = Math.max(filled, free);
        record("wait_slot", begun - filled);
        record("fill", load);
        record(trace.stage(), load);
        filled = begun + load;
        double taken = Math.max(filled, now);
        record("wait_batch", taken - now);
        record("trainer", step);
        now = taken + step;
        released.addLast(now);
        batches++;
    }

    private double factor() {
        return 1 + noise * (2 * random.nextDouble() - 1);
    }

    private void record(String stage, double seconds) {
        stages.stage(stage).record(Math.round(seconds * 1e9));
    }

    Moment moment() {
        ByteBuffer bytes =
                ByteBuffer.wrap(memory.toArray(ValueLayout.JAVA_BYTE)).order(ByteOrder.LITTLE_ENDIAN);
        long nanos = Math.round(now * 1e9);
        return new Moment("train", nanos, 1, 1, (long) batches * ROWS, batches, StageTimes.read(bytes, nanos));
    }

    /** What is measured over a number of batches. */
    FeedDiagnosis window(int count, Tuning tuning) {
        Moment before = moment();
        run(count, tuning);
        return FeedDiagnosis.of(moment().since(before, tuning, trace.processors()));
    }

    /** The bounds that a feed has with {@code workers: auto} and {@code depth: auto}. */
    static Limits bounds(Trace trace) {
        return new Limits(0, Math.max(16, trace.processors()), 1, MAX_READ_AHEAD);
    }

    /** The settings that such a feed begins with. */
    static Tuning start(Trace trace) {
        return new Tuning(FeedDiagnosis.workers(trace.processors(), 1), MAX_READ_AHEAD);
    }

    /** The throughput of the best setting of a sweep, after as many batches as the governor has. */
    static double best(Trace trace, double noise, int first, int count) {
        double best = 0;
        for (int workers : new int[] {0, 1, 2, 4, 8, 16}) {
            for (int ahead : new int[] {1, 2, 4, 8}) {
                SimulatedFeed feed = new SimulatedFeed(trace, noise, 1);
                Tuning tuning = new Tuning(workers, ahead);
                feed.run(first, tuning);
                best = Math.max(best, feed.run(count, tuning));
            }
        }
        return best;
    }
}
