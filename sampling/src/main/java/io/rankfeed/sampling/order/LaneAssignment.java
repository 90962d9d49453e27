package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;

/** The location of a feed's rows, by stratum and index in its list; the lane is {@link LaneLayout#SHARED} for the shared file. */
public sealed interface LaneAssignment permits LaneLayout, SequentialOrder {
    static LaneAssignment of(Feed feed) {
        return feed instanceof TrainFeed train ? new LaneLayout(train) : SequentialOrder.of((SequentialFeed) feed);
    }

    /** The lane that owns a row of a stratum's list. */
    int lane(int stratum, long index);

    /** The row's index in the lane, or in the shared file. */
    long ordinal(int stratum, long index);

    /** Rows of a lane, or of the shared file. */
    long laneRows(int lane);
}
