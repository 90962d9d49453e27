package io.rankfeed.schema.order;

import java.util.List;

/**
 * The numbers of a training feed: the rows of every step follow from them (docs/format/plan.md, section 1).
 *
 * @param seed any 64 bits; order.json holds 0 to 2^63 - 1
 * @param lanes V, the virtual ranks; every world size that divides it can read the feed
 * @param batch G, rows of a global batch, a multiple of {@code lanes}
 * @param window 1, or steps per epoch where the balance holds within epochs only
 * @param strata sorted by name; at least one
 * @param segments sorted by step; they cover the run without gaps
 */
public record TrainFeed(
        String name,
        long seed,
        int lanes,
        int batch,
        int epochs,
        int stepsPerEpoch,
        EpochMode mode,
        RowOrder order,
        int window,
        List<Stratum> strata,
        List<Segment> segments)
        implements Feed {
    /** @throws IllegalArgumentException if the numbers contradict each other, or exceed {@link OrderLimits} */
    public TrainFeed(
            String name,
            long seed,
            int lanes,
            int batch,
            int epochs,
            int stepsPerEpoch,
            EpochMode mode,
            RowOrder order,
            int window,
            List<Stratum> strata,
            List<Segment> segments) {
        this.name = name;
        this.seed = seed;
        this.lanes = lanes;
        this.batch = batch;
        this.epochs = epochs;
        this.stepsPerEpoch = stepsPerEpoch;
        this.mode = mode;
        this.order = order;
        this.window = window;
        this.strata = List.copyOf(strata);
        this.segments = List.copyOf(segments);
        TrainFeedRules.check(this);
    }

    @Override
    public long stepsPerPass() {
        return stepsPerEpoch;
    }

    /** Steps of the whole run. */
    public long steps() {
        return (long) epochs * stepsPerEpoch;
    }

    /** Rows that a lane gives to each step. */
    public int rowsPerLane() {
        return batch / lanes;
    }

    /** The segment of a global step. */
    public Segment segmentAt(long step) {
        if (step < 0 || step >= steps()) {
            throw new IndexOutOfBoundsException("step " + step + " of " + steps());
        }
        int low = 0;
        int high = segments.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (segments.get(middle).step() <= step) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return segments.get(low);
    }
}
