package io.rankfeed.sampling;

import io.rankfeed.schema.order.Feed;
import java.util.List;

/**
 * The numbers of a training plan, exactly as order.json holds them: every step's rows follow from them, and a reader recomputes
 * none. The constructor refuses, with {@link IllegalArgumentException}, numbers that do not fit together.
 *
 * @param lanes V, the virtual ranks; every world size that divides it can read the plan
 * @param batch G, rows of a global batch, a multiple of {@code lanes}
 * @param window 1, or steps per epoch where the balance holds within epochs only
 * @param strata ordered by name
 * @param segments ordered by step; they cover the run
 */
public record Order(
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
    static final int MAX_LANES = Feed.MAX_LANES;

    /** Beyond these a plan would need unreasonable memory to read. */
    static final int MAX_BATCH = 1 << 24;

    static final long MAX_COUNTERS = 1L << 22;

    public Order {
        strata = List.copyOf(strata);
        segments = List.copyOf(segments);
        OrderRules.check(lanes, batch, epochs, stepsPerEpoch, mode, order, window, strata, segments);
    }

    /** Steps of the whole run. */
    public long steps() {
        return (long) epochs * stepsPerEpoch;
    }

    /** Rows that a lane gives to each step. */
    public int rowsPerLane() {
        return batch / lanes;
    }

    /** The world sizes that can read this plan, ascending. */
    public List<Integer> worlds() {
        return Worlds.of(lanes);
    }

    /** The segment of a global step. */
    public Segment segmentAt(long step) {
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
