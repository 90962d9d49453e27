package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.batch.ColumnRequest;
import io.rankfeed.schema.failure.ConfigException;
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

    /** Whether a feed has columns that pipelines make. */
    public boolean hasPipelines() {
        return columns.values().stream().flatMap(List::stream).anyMatch(column -> column.pipeline()
                .isPresent());
    }

    Optional<List<ColumnRequest>> columnsOf(String feed) {
        return Optional.ofNullable(columns.get(feed));
    }

    /**
     * The columns of a HELLO: what a feed makes by steps is asked for by its name alone.
     *
     * @throws ConfigException if such a column is asked for in another layout
     */
    List<ColumnRequest> resolved(String feed, List<ColumnRequest> asked) {
        List<ColumnRequest> own = columnsOf(feed).orElse(List.of());
        return asked.stream().map(column -> resolved(own, column)).toList();
    }

    private static ColumnRequest resolved(List<ColumnRequest> own, ColumnRequest asked) {
        Optional<ColumnRequest> made = own.stream()
                .filter(column -> column.pipeline().isPresent() && column.name().equals(asked.name()))
                .findFirst();
        if (made.isPresent() && asked.layout().isPresent()) {
            throw new ConfigException("column '" + asked.name() + "' is made by steps of the feed file, which says its"
                    + " layout; request it without one");
        }
        return made.orElse(asked);
    }
}
