package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.batch.ColumnRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How a version is served.
 *
 * @param ranks global ranks that have a socket here
 * @param world empty: as the first trainer says
 * @param feeds names of the feeds to serve
 * @param columns a feed's own columns, where it has any
 * @param slots of every ring, 2 … 4096
 * @param memoryBytes that all rings may take together
 * @param graceSeconds how long a trainer waits for a feeder that is gone
 */
public record ServeSettings(
        SortedSet<Integer> ranks,
        OptionalInt world,
        SortedSet<String> feeds,
        Map<String, List<ColumnRequest>> columns,
        int slots,
        long memoryBytes,
        int graceSeconds) {
    public ServeSettings {
        ranks = new TreeSet<>(ranks);
        feeds = new TreeSet<>(feeds);
        columns = Map.copyOf(columns);
    }

    Optional<List<ColumnRequest>> columnsOf(String feed) {
        return Optional.ofNullable(columns.get(feed));
    }
}
