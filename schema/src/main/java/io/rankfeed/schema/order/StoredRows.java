package io.rankfeed.schema.order;

/** The rows of a stratum, as the files of an order and of a selection both state them. */
public interface StoredRows {
    /** The stratum. */
    String name();

    /** Rows of it in the prepared table. */
    long available();

    /** Those that are exported. */
    long rows();
}
