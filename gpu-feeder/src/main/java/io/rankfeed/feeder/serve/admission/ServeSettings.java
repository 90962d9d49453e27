package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.serve.protocol.Hello;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The settings with which a version is served.
 *
 * @param ranks global ranks that have a socket here
 * @param world empty: as the first trainer says
 * @param feeds names of the feeds to serve
 * @param columns a feed's own columns, where it has any
 * @param digests by feed, a digest of its settings in the feed file
 * @param named how the user named the version; sent to trainers
 * @param minSlots of every ring, 2 … 4096
 * @param slots of every ring where memory suffices; the same number if the user chose it
 * @param memoryBytes that all rings may take together
 * @param filledBytes of {@code --memory} that the values of {@code fill} take, in addition to these
 * @param graceSeconds how long a trainer waits for a feeder that is gone
 */
public record ServeSettings(
        SortedSet<Integer> ranks,
        OptionalInt world,
        SortedSet<String> feeds,
        Map<String, ColumnSelection> columns,
        Map<String, String> digests,
        VersionNamed named,
        int minSlots,
        int slots,
        long memoryBytes,
        long filledBytes,
        int graceSeconds) {
    public ServeSettings {
        ranks = new TreeSet<>(ranks);
        feeds = new TreeSet<>(feeds);
        columns = Map.copyOf(columns);
        digests = Map.copyOf(digests);
    }

    /** Whether a feed has columns that pipelines make. */
    public boolean hasPipelines() {
        return columns.values().stream().anyMatch(ColumnSelection::hasPipelines);
    }

    /** The digest of a feed's settings, 16 hexadecimal digits; empty if the feed file does not name the feed. */
    public String digest(String feed) {
        return digests.getOrDefault(feed, "");
    }

    /** The number of ranks in a world of this size that have a socket here. */
    public int ranksOf(int size) {
        return ranks.headSet(size).size();
    }

    /** The columns of a feed by its settings. */
    public ColumnSelection columnsOf(String feed) {
        return columns.getOrDefault(feed, ColumnSelection.all());
    }

    /**
     * Returns the columns that a trainer asks for. A column that a feed makes by steps is requested by its name only.
     *
     * @throws ConfigException if such a column is asked for in another layout
     */
    ColumnSelection resolved(Hello hello) {
        ColumnSelection own = columnsOf(hello.feed());
        List<ColumnRequest> made = own.columns().orElse(List.of());
        Optional<List<ColumnRequest>> columns = hello.columns()
                .map(asked ->
                        asked.stream().map(column -> resolved(made, column)).toList());
        return new ColumnSelection(columns.or(own::columns), own.transformSeed(), hello.rowKeys());
    }

    private static ColumnRequest resolved(List<ColumnRequest> own, ColumnRequest asked) {
        Optional<ColumnRequest> made = own.stream()
                .filter(column -> column.recipe().isPresent() && column.name().equals(asked.name()))
                .findFirst();
        if (made.isPresent() && asked.layout().isPresent()) {
            throw new ConfigException("column '" + asked.name() + "' is made by steps of the feed file, which says its"
                    + " layout; request it without one");
        }
        return made.orElse(asked);
    }
}
