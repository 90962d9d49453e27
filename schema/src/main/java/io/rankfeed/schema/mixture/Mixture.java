package io.rankfeed.schema.mixture;

import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.order.TrainFeed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A {@code mixture.json}: several versions fed as one feed.
 *
 * @param order without a dataset, and with one feed, whose members name their versions
 * @param columns of each batch
 * @param fill by column, the value for members that lack it
 */
public record Mixture(Order order, SampleSchema columns, Map<String, FillValue> fill) {
    public static final String FILE_NAME = "mixture.json";

    /**
     * @throws IllegalArgumentException if the order is not that of a mixture
     * @throws ConfigException if {@code fill} does not fit the columns, or is not in its canonical form
     */
    public Mixture {
        fill = new TreeMap<>(fill);
        if (order.dataset().isPresent() || order.feeds().size() != 1) {
            throw new IllegalArgumentException("a mixture has one feed and no dataset");
        }
        fill.forEach((column, value) -> {
            FillValue canonical = FillValue.of(columns.field(column), value.values());
            if (!canonical.equals(value)) {
                throw new ConfigException("fill of column '" + column + "' is " + value.values()
                        + ", whose canonical form is " + canonical.values());
            }
        });
    }

    /** Returns a mixture with its id. */
    public static Mixture of(TrainFeed feed, SampleSchema columns, Map<String, FillValue> fill) {
        Mixture anonymous =
                new Mixture(new Order(Optional.empty(), OrderId.NONE, Optional.empty(), List.of(feed)), columns, fill);
        return anonymous.withId(MixtureJson.contentId(anonymous));
    }

    Mixture withId(String id) {
        return new Mixture(new Order(Optional.empty(), id, Optional.empty(), order.feeds()), columns, fill);
    }

    /** The id, which ring and cursor have as their plan. */
    public String id() {
        return order.plan();
    }

    /** The only feed. */
    public TrainFeed feed() {
        return (TrainFeed) order.feeds().get(0);
    }
}
