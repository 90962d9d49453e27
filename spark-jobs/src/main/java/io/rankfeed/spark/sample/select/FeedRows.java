package io.rankfeed.spark.sample.select;

import io.rankfeed.sampling.order.LaneAssignment;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * The rows of a feed, numbered end to end: stratum after stratum, each list by index. Knows where they are in the cache
 * (docs/format/plan.md, sections 5.2 and 7). Travels to the tasks.
 */
public final class FeedRows implements Serializable {
    private static final long serialVersionUID = 1L;

    private final boolean sequential;
    private final int lanes;
    private final int batch;
    /** Number of the first row of each stratum, then the number of all rows. */
    private final long[] starts;

    private FeedRows(boolean sequential, int lanes, int batch, long[] rows) {
        this.sequential = sequential;
        this.lanes = lanes;
        this.batch = batch;
        this.starts = new long[rows.length + 1];
        for (int s = 0; s < rows.length; s++) {
            starts[s + 1] = starts[s] + rows[s];
        }
    }

    public static FeedRows of(Feed feed) {
        if (feed instanceof TrainFeed train) {
            long[] rows = train.strata().stream().mapToLong(Stratum::rows).toArray();
            return new FeedRows(false, feed.lanes(), feed.batch(), rows);
        }
        return new FeedRows(true, feed.lanes(), feed.batch(), new long[] {((SequentialFeed) feed).rows()});
    }

    /** The rows of a train feed whose pools have these numbers of rows, by stratum. */
    static FeedRows ofPools(int lanes, long... rows) {
        return new FeedRows(false, lanes, lanes, rows);
    }

    public long total() {
        return starts[starts.length - 1];
    }

    int strata() {
        return starts.length - 1;
    }

    /** Rows of a stratum's list. */
    long rows(int stratum) {
        return starts[stratum + 1] - starts[stratum];
    }

    /** Number of a stratum's first row. */
    long start(int stratum) {
        return starts[stratum];
    }

    public LaneAssignment laneAssignment() {
        if (sequential) {
            return new SequentialOrder(lanes, batch, total());
        }
        return new LaneLayout(
                lanes,
                IntStream.range(0, strata())
                        .mapToObj(s -> new Stratum(Integer.toString(s), rows(s), rows(s)))
                        .toList());
    }
}
