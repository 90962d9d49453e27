package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.tensor.ColumnSelection;
import java.util.List;
import java.util.SortedMap;

/** What can be served: one version's feeds. Safe to use from several threads. */
public interface Catalog {
    /** Id of the plan. */
    String plan();

    /** Id of the version. */
    String version();

    /** A feed's lanes; every world must divide them. */
    int lanes(String feed);

    List<FeedFacts> feeds();

    /**
     * Bytes of one rank's ring. Opens nothing: what the version says of itself is enough.
     *
     * @throws io.rankfeed.schema.failure.ConfigException if a column cannot be had, or they are too many for a ring
     */
    long ringBytes(String feed, int world, int slots, ColumnSelection columns);

    /**
     * Makes ready what one rank of a feed reads.
     *
     * @param feed one of {@link #feeds()}
     * @throws io.rankfeed.schema.failure.ConfigException if a column cannot be had
     * @throws io.rankfeed.schema.failure.CorruptDataException if the version is damaged
     */
    BatchSource open(String feed, int rank, int world, ColumnSelection columns);

    /**
     * Rows that a rank draws in the steps [from, to), by stage (of which there is one in a sequential feed) and stratum.
     * Exact where a stage's window is 1 or the steps are whole windows.
     */
    SortedMap<Integer, SortedMap<String, Long>> tally(String feed, int rank, int world, long fromStep, long toStep);
}
