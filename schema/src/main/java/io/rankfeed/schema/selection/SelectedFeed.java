package io.rankfeed.schema.selection;

import io.rankfeed.schema.order.StoredFeed;
import java.util.List;

/** The stored rows of a feed. */
public sealed interface SelectedFeed permits SelectedTrain, SelectedSequential {
    /** {@code [a-z][a-z0-9_-]{0,30}} */
    String name();

    /** U, the stored lanes. */
    int lanes();

    /** Rows of all its lists. */
    long rows();

    /** As {@link RowDigests} makes them of the rows of its lists, one list after the other. */
    List<String> rowDigests();

    /** Its rows as its lanes follow from them. */
    StoredFeed stored();
}
