package io.rankfeed.schema.selection;

import io.rankfeed.schema.order.StoredFeed;
import java.util.List;

/** The stored rows of a feed of every row once. */
public record SelectedSequential(String name, int lanes, long rows, List<String> rowDigests) implements SelectedFeed {
    /** @throws IllegalArgumentException if the parts contradict each other */
    public SelectedSequential {
        rowDigests = List.copyOf(rowDigests);
        Checks.requireFeed(name, lanes, rows, rowDigests);
    }

    @Override
    public StoredFeed stored() {
        return new StoredFeed(name, lanes, List.of(), rows);
    }
}
