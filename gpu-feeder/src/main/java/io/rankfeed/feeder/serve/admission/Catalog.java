package io.rankfeed.feeder.serve.admission;

import io.rankfeed.feeder.tensor.ColumnSelection;
import java.util.List;
import java.util.SortedMap;

/** The feeds of one version, which can be served. Safe to use from several threads. */
public interface Catalog {
    /** The id of the plan. */
    String plan();

    /** The id of the version. */
    String version();

    /** The number of lanes of a feed; every world must divide it. */
    int lanes(String feed);

    List<FeedFacts> feeds();

    /**
     * The size of one rank's ring, in bytes. Opens no lanes: manifest and order suffice.
     *
     * @throws io.rankfeed.schema.failure.ConfigException if a requested column is not available, or they are too many
     *     for a ring
     */
    long ringBytes(String feed, int world, int slots, ColumnSelection columns);

    /**
     * Opens the source of one rank's batches.
     *
     * @param feed one of {@link #feeds()}
     * @throws io.rankfeed.schema.failure.ConfigException if a requested column is not available @throws
     *     io.rankfeed.schema.failure.CorruptDataException if the version is damaged
     */
    BatchSource open(String feed, int rank, int world, ColumnSelection columns);

    /**
     * Counts the rows that a rank draws in the steps [from, to), by stage (of which there is one in a sequential feed)
     * and stratum. Exact where a stage's window is 1 or the steps are whole windows.
     */
    SortedMap<Integer, SortedMap<String, Long>> tally(String feed, int rank, int world, long fromStep, long toStep);
}
