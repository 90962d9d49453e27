package io.rankfeed.sampling;

import io.rankfeed.schema.order.SequentialFeed;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.stream.IntStream;

/** A feed of order.json as the arithmetic takes it, and back. */
public final class FeedOrders {
    private FeedOrders() {}

    /** @throws IllegalArgumentException if the numbers do not fit together, or are larger than a reader can hold */
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

    /** @throws IllegalArgumentException if the numbers are larger than a reader can hold */
    public static SequentialOrder of(SequentialFeed feed) {
        return new SequentialOrder(feed.lanes(), feed.batch(), feed.rows());
    }

    /** The same with the job's stages, which a reader of the order has no need of. */
    public static TrainFeed feed(String name, PlannedOrder planned) {
        TrainFeed feed = feed(name, planned.order());
        return feed.withSegments(IntStream.range(0, feed.segments().size())
                .mapToObj(i -> {
                    int stage = planned.stageOf().get(i);
                    TrainFeed.Segment segment = feed.segments().get(i);
                    return stage < 0 ? segment : segment.ofStage(stage);
                })
                .toList());
    }

    /** The feed that holds an order's numbers. */
    public static TrainFeed feed(String name, Order order) {
        return new TrainFeed(
                name,
                order.seed(),
                order.lanes(),
                order.batch(),
                order.epochs(),
                order.stepsPerEpoch(),
                TrainFeed.Mode.valueOf(order.mode().name()),
                TrainFeed.RowOrder.valueOf(order.order().name()),
                order.window(),
                order.strata().stream()
                        .map(stratum -> new TrainFeed.Stratum(stratum.name(), stratum.available(), stratum.rows()))
                        .toList(),
                order.segments().stream()
                        .map(segment -> new TrainFeed.Segment(
                                segment.step(),
                                segment.steps(),
                                segment.number(),
                                segment.quotas(),
                                segment.base(),
                                segment.m(),
                                segment.c()))
                        .toList());
    }

    private static int asInt(String name, long value) {
        if (value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + " is " + value + "; a reader counts to " + Integer.MAX_VALUE);
        }
        return (int) value;
    }
}
