package io.rankfeed.feeder.transform;

/** What is fed for a row whose image is missing or broken. */
public enum OnBroken {
    /** Nothing: the feed ends with the row's name. */
    FAIL,
    /** Zeros, and 0 in the tensor {@code <name>.valid}. */
    ZEROS
}
