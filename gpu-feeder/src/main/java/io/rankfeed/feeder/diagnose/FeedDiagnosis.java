package io.rankfeed.feeder.diagnose;

import io.rankfeed.feeder.timing.Bottleneck;
import io.rankfeed.feeder.timing.Part;
import io.rankfeed.feeder.timing.Stage;
import io.rankfeed.feeder.timing.StageTimes;

/**
 * What follows from a stretch of a feed. Times are seconds for one batch of one rank, throughputs are rows per second of all ranks of
 * the node.
 *
 * @param bottleneck the stage that limits
 * @param load the feeder's time to make a batch
 * @param transform the time of the Python transform; 0 without one
 * @param transformWorkers processes of one trainer that run it; 0: it runs in the trainer's process
 * @param transfer the copy to the device; 0 without one
 * @param compute from a batch to the request for the next: the training step
 * @param idle the wait for a batch
 * @param consume the step without the wait: training step, copy, and a transform in the trainer's process
 * @param slowLoad the time that 99 % of the loads do not exceed, rounded up to at most twice the true value
 */
public record FeedDiagnosis(
        FeedStretch stretch,
        Bottleneck bottleneck,
        double load,
        double transform,
        int transformWorkers,
        double transfer,
        double compute,
        double idle,
        double consume,
        double slowLoad) {
    /** A time that is longer than another by this factor is what matters of the two. */
    static final double MATTERS = 2;

    private static final long MIN_BATCHES = 20;
    private static final double MIN_SECONDS = 0.5;
    private static final int MIN_WORKERS = 2;
    private static final int MAX_WORKERS = 8;
    /** The maximum number of batches that are recommended ahead of a trainer. */
    public static final int MAX_AHEAD = 8;

    private static final double SLOW = 0.99;

    /** Waits of less than this part of the time come with every queue. */
    private static final double NOTICEABLE = 0.1;

    /** Slots that a client with workers of a transform requires in addition to one for each of them. */
    private static final int SPARE_SLOTS = 2;

    public static FeedDiagnosis of(FeedStretch stretch) {
        StageTimes times = stretch.times();
        double idle = stretch.mean(Stage.WAIT_BATCH.id());
        return new FeedDiagnosis(
                stretch,
                Bottleneck.between(StageTimes.NONE, times),
                stretch.mean(Stage.FILL.id()),
                stretch.mean(Stage.TRANSFORM.id()),
                times.processes(Stage.TRANSFORM.id()),
                stretch.mean(Stage.COPY.id()),
                stretch.mean(Stage.TRAINER.id()),
                idle,
                Math.max(0, stretch.stepSeconds() - idle),
                times.quantile(Stage.FILL.id(), SLOW));
    }

    /**
     * The part of the time in which the trainer computes: {@code compute / (compute + idle)}, 0 to 1. Idle is all of a step but the
     * computation: the wait, the copy, and a transform in the trainer's process.
     */
    public double utilization() {
        return Math.min(1, compute / stretch.stepSeconds());
    }

    /** Whether so little was measured that the other numbers say nothing. */
    public boolean isShort() {
        return stretch.batches() < MIN_BATCHES * stretch.ranks() || stretch.seconds() < MIN_SECONDS;
    }

    public double measuredThroughput() {
        return stretch.rows() / stretch.seconds();
    }

    /** What the feeder could give. */
    public double loadThroughput() {
        return throughput(load);
    }

    /** What the workers of the transform could give; any number where it runs in the trainer's process. */
    public double transformThroughput() {
        return throughput(betweenTransforms());
    }

    /** What the trainers could take. */
    public double consumeThroughput() {
        return throughput(consume);
    }

    /** What all reach together: the smallest of them. */
    public double predictedThroughput() {
        return throughput(longest());
    }

    /** The difference between prediction and measurement, as a part of the measurement. */
    public double predictionError() {
        double measured = measuredThroughput();
        return Math.abs(predictedThroughput() - measured) / measured;
    }

    /** Seconds for the steps of the stretch if each batch were loaded when it is asked for: {@code N · (load + consume)}. */
    public double secondsWithoutPrefetch() {
        return steps() * withoutPrefetch();
    }

    /** Seconds for the steps of the stretch with loading ahead: {@code load + N · max(load, consume)}. */
    public double secondsWithPrefetch() {
        return load + steps() * longest();
    }

    /** What loading ahead gains: 1 to 2; with workers of a transform up to their number and 2. */
    public double prefetchSpeedup() {
        return longest() > 0 ? withoutPrefetch() / longest() : 1;
    }

    private double withoutPrefetch() {
        return load + (transformWorkers > 0 ? transform : 0) + consume;
    }

    private double longest() {
        return Math.max(Math.max(load, betweenTransforms()), consume);
    }

    /** Seconds from one batch of the transform's workers to their next. */
    private double betweenTransforms() {
        return transformWorkers > 0 ? transform / transformWorkers : 0;
    }

    /** Bytes of the rings of all ranks: {@code depth · batch · bytes of a row}. */
    public long ringBytes() {
        return stretch.ringBytes() * stretch.ranks();
    }

    /** Threads for each rank: {@code min(processors / ranks, 8)}, at least 2. */
    public int workersOfRank() {
        return workersOfRank(stretch.processors(), stretch.ranks());
    }

    private static int workersOfRank(int processors, int ranks) {
        return Math.clamp(processors / ranks, MIN_WORKERS, MAX_WORKERS);
    }

    /** Threads of the feeder: those of all ranks, but not more than there are processors. */
    public int workers() {
        return workers(stretch.processors(), stretch.ranks());
    }

    /** As {@link #workers()}, before anything is measured. */
    public static int workers(int processors, int ranks) {
        return Math.min(workersOfRank(processors, ranks) * ranks, Math.max(MIN_WORKERS, processors));
    }

    /**
     * Slots: one that the trainer has, and as many ahead of it as hide the slowest loads behind the computation. Where loads are longer
     * than the computation, more slots do not help. Workers of a transform hold one slot each.
     */
    public int depth() {
        int ahead = load <= consume && consume > 0 ? Math.clamp((long) Math.ceil(slowLoad / consume), 1, MAX_AHEAD) : 1;
        return Math.max(ahead + 1, transformWorkers > 0 ? transformWorkers + SPARE_SLOTS : 0);
    }

    /** Whether a load takes at most half of a step without its wait. */
    public boolean isLoadHidden() {
        return load * MATTERS <= consume;
    }

    /** The part of the node that limits. */
    public Part part() {
        return bottleneck.part();
    }

    /** Whether the trainer limits by the timers and waits noticeably all the same: feeder and trainer wait in turn. */
    public boolean isInTurn() {
        return part() == Part.TRAINER && bottleneck.dataWait() >= NOTICEABLE;
    }

    private double throughput(double secondsOfBatch) {
        double rowsOfBatch = (double) stretch.rows() / stretch.batches();
        return secondsOfBatch > 0 ? stretch.ranks() * rowsOfBatch / secondsOfBatch : Double.MAX_VALUE;
    }

    private double steps() {
        return (double) stretch.batches() / stretch.ranks();
    }
}
