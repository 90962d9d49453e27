package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.StoredFeed;
import java.util.ArrayList;
import java.util.List;

/** The lane files that a feed must have and the number of rows in each, by arithmetic alone (docs/format/cache.md, section 1). */
record FeedLanes(StoredFeed feed, Order.Storage storage, LaneLayout layout, SequentialOrder sequential) {
    /** A file that must exist, and the number of rows that it must have. */
    record Expected(LaneFileName name, long rows) {}

    /** @throws IllegalArgumentException if the feed's numbers do not fit together */
    static FeedLanes of(StoredFeed feed, Order.Storage storage) {
        int lanes = feed.lanes();
        long listed = feed.strata().isEmpty() ? feed.rows() : 0;
        // The batch of a sequential feed is not part of its lanes.
        return new FeedLanes(
                feed, storage, new LaneLayout(lanes, feed.strata()), new SequentialOrder(lanes, lanes, listed));
    }

    /** The number of rows of a lane, or of the shared file. */
    long rows(int lane) {
        if (lane == LaneLayout.SHARED) {
            return layout.sharedRows();
        }
        return layout.laneRows() + sequential.laneRows(lane);
    }

    /** The number of rows of the whole feed. */
    long rows() {
        return feed.lanes() * layout.laneRows() + layout.sharedRows() + sequential.rows();
    }

    int lanes() {
        return feed.lanes();
    }

    /** The number of files of a lane. */
    long fileCount(int lane) {
        return Math.ceilDiv(rows(lane), storage.shardRows());
    }

    /** The files of a lane, by shard. */
    List<Expected> files(int lane) {
        List<Expected> files = new ArrayList<>();
        long left = rows(lane);
        for (int shard = 0; left > 0; shard++) {
            long rows = Math.min(left, storage.shardRows());
            files.add(new Expected(new LaneFileName(feed.name(), lane, shard), rows));
            left -= rows;
        }
        return files;
    }

    /** The number of record batches of a lane, over all its files. */
    long blocks(int lane) {
        return Math.ceilDiv(rows(lane), storage.batchRows());
    }
}
