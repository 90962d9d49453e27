package io.rankfeed.schema.order;

import java.util.List;
import java.util.Optional;

/**
 * What a version stores, as its {@code selection.json} or, in a version of format 1, its {@code order.json} states it.
 *
 * @param storage how lanes are cut into files
 * @param feeds sorted by name
 */
public record StoredFeeds(Order.Storage storage, List<StoredFeed> feeds) {
    public StoredFeeds {
        feeds = List.copyOf(feeds);
    }

    /** The rows of the order in a version; empty for an order without storage, which is no version's. */
    public static Optional<StoredFeeds> of(Order order) {
        return order.storage()
                .map(storage -> new StoredFeeds(
                        storage, order.feeds().stream().map(StoredFeed::of).toList()));
    }

    public Optional<StoredFeed> feed(String name) {
        return feeds.stream().filter(feed -> feed.name().equals(name)).findFirst();
    }
}
