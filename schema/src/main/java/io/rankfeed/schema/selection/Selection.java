package io.rankfeed.schema.selection;

import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.StoredFeeds;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A {@code selection.json}: the rows of a version.
 *
 * @param storage how lanes are cut into files; of a version only
 * @param feeds sorted by name
 */
public record Selection(String dataset, Optional<Order.Storage> storage, List<SelectedFeed> feeds) {
    public static final String FILE_NAME = "selection.json";

    private static final Pattern DATASET = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    /** @throws IllegalArgumentException if the parts contradict each other */
    public Selection {
        feeds = List.copyOf(feeds);
        Checks.require(DATASET.matcher(dataset).matches(), "dataset '" + dataset + "' does not match " + DATASET);
        Checks.require(!feeds.isEmpty(), "there is no feed");
        Checks.requireSorted(feeds.stream().map(SelectedFeed::name).toList(), "feeds");
    }

    /** What the version stores; empty in a plan, which stores nothing. */
    public Optional<StoredFeeds> stored() {
        return storage.map(cut ->
                new StoredFeeds(cut, feeds.stream().map(SelectedFeed::stored).toList()));
    }

    public Optional<SelectedFeed> feed(String name) {
        return feeds.stream().filter(feed -> feed.name().equals(name)).findFirst();
    }
}
