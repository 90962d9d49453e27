package io.rankfeed.schema.order;

/** One of the plan's orders. */
public sealed interface Feed permits TrainFeed, SequentialFeed {
    /** {@code [a-z][a-z0-9_-]{0,30}} */
    String name();

    /** Virtual ranks; a world size divides them. */
    int lanes();

    /** Rows of a global batch, a multiple of the lanes. */
    int batch();

    /** Steps of one pass over the feed: of an epoch, or of the whole sequence. */
    long stepsPerPass();
}
