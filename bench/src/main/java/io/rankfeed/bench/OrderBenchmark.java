package io.rankfeed.bench;

import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.sampling.order.EpochOrder;
import io.rankfeed.schema.order.TrainFeed;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures the nanoseconds to compute the 256 / world rows of a rank's next batch, in sequence and after a jump. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // @Setup runs before everything else
public class OrderBenchmark {
    private static final int BATCH = 256;
    private static final int EPOCHS = 3;
    private static final long JUMP = 0x9E3779B97F4A7C15L;

    /**
     * Strata of the plan and rows of each; one stratum has no weights. With 8 lanes 504 rows are 63 a lane, the longest list
     * without a grid: the dearest to shuffle.
     */
    @Param({"1x1000000", "3x333333", "40x25000", "40x504", "4000x504"})
    public String strata;

    @Param({"1", "4"})
    public int world;

    private EpochOrder order;
    private BatchRows rows;
    private long steps;
    private long firstShuffled;
    private long step;

    @Setup
    public void plan() {
        int times = strata.indexOf('x');
        int count = Integer.parseInt(strata.substring(0, times));
        long all = count * Long.parseLong(strata.substring(times + 1));
        TrainFeed planned = count == 1 ? Orders.pass(all, BATCH, EPOCHS) : Orders.stream(count, all, BATCH, EPOCHS);
        order = new EpochOrder(planned, 0, world);
        rows = new BatchRows(order.rowsPerBatch());
        steps = planned.steps();
        // The first cycle keeps the list's own order and is cheaper than those that are shuffled.
        firstShuffled = planned.stepsPerEpoch();
        step = firstShuffled;
    }

    /** Reads batches in sequence, as a feeder does. */
    @Benchmark
    public BatchRows batchInSequence() {
        order.fill(step, rows);
        step = step + 1 == steps ? firstShuffled : step + 1;
        return rows;
    }

    /** Reads a batch after a jump, which has a fixed cost that does not depend on the number of rows. */
    @Benchmark
    public BatchRows batchAfterJump() {
        step = Long.remainderUnsigned(step * JUMP + 1, steps);
        order.fill(step, rows);
        return rows;
    }
}
