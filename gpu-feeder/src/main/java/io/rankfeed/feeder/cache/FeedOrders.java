package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.EpochMode;
import io.rankfeed.sampling.Order;
import io.rankfeed.sampling.RowOrder;
import io.rankfeed.sampling.Segment;
import io.rankfeed.sampling.SequentialOrder;
import io.rankfeed.sampling.Stratum;
import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;

/** A feed's numbers as the arithmetic of {@link io.rankfeed.sampling} takes them. */
public final class FeedOrders {
    private FeedOrders() {}

    /** @throws IllegalArgumentException if the numbers do not fit together, or are larger than a feeder can hold */
    public static Order of(TrainFeed feed) {
        List<Stratum> strata = feed.strata().stream()
                .map(stratum -> new Stratum(stratum.name(), stratum.available(), stratum.rows()))
                .toList();
        List<Segment> segments = feed.segments().stream()
                .map(segment -> new Segment(
                        segment.step(),
                        segment.steps(),
                        segment.number(),
                        segment.quotas(),
                        segment.base(),
                        segment.m(),
                        segment.c()))
                .toList();
        return new Order(
                feed.seed(),
                feed.lanes(),
                feed.batch(),
                asInt("epochs", feed.epochs()),
                asInt("stepsPerEpoch", feed.stepsPerEpoch()),
                EpochMode.valueOf(feed.mode().name()),
                RowOrder.valueOf(feed.order().name()),
                asInt("window", feed.window()),
                strata,
                segments);
    }

    /** @throws IllegalArgumentException if the numbers are larger than a feeder can hold */
    public static SequentialOrder of(SequentialFeed feed) {
        return new SequentialOrder(feed.lanes(), feed.batch(), feed.rows());
    }

    private static int asInt(String name, long value) {
        if (value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + " is " + value + "; a feeder counts to " + Integer.MAX_VALUE);
        }
        return (int) value;
    }
}
