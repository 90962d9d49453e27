package io.rankfeed.feeder.cli;

import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.TrainFeed;

/** The segment of a step, as order.json numbers it. */
final class Segments {
    private Segments() {}

    static String numberAt(Feed feed, long globalStep) {
        if (feed instanceof TrainFeed train) {
            for (TrainFeed.Segment segment : train.segments()) {
                if (globalStep < segment.step() + segment.steps()) {
                    return Long.toString(segment.number());
                }
            }
        }
        return "-";
    }
}
