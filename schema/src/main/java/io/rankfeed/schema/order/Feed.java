package io.rankfeed.schema.order;

/** An order of the plan: that of a train feed, or that of a sequential feed. */
public sealed interface Feed permits TrainFeed, SequentialFeed {
    /** {@code [a-z][a-z0-9_-]{0,30}} */
    String name();

    /** Virtual ranks; a world size divides them. */
    int lanes();

    /** Rows of a global batch, a multiple of the lanes. */
    int batch();

    /** Steps of one pass over the feed: of an epoch, or of the whole sequence. */
    long stepsPerPass();

    /** The epoch of a step of the run; a sequential feed has one. */
    default int epochAt(long step) {
        return 0;
    }

    /** The first step of an epoch; of the number of epochs the end of the run. */
    default long epochStart(int epoch) {
        return epoch * stepsPerPass();
    }
}
