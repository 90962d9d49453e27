package io.rankfeed.feeder.explain;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.TrainFeed;

/**
 * Finds the stage and the segment of a step. A stage is one segment, or has one segment in each epoch that it covers.
 */
final class Segments {
    private static final String NONE = "-";

    private Segments() {}

    /** The segment's number in order.json; {@code -} for a feed without segments. */
    static String numberAt(Feed feed, long globalStep) {
        return feed instanceof TrainFeed train
                ? Long.toString(train.segmentAt(globalStep).number())
                : NONE;
    }

    static String stageAt(Feed feed, long globalStep) {
        return feed instanceof TrainFeed train && train.mode() == EpochMode.STREAM
                ? Long.toString(train.segmentAt(globalStep).stage())
                : NONE;
    }
}
