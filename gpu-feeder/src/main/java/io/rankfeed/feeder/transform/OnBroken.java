package io.rankfeed.feeder.transform;

/** How a row is fed whose image is missing or broken. */
public enum OnBroken {
    /** No row: the feed ends with an error that names it. */
    FAIL,
    /** Zeros, and 0 in the tensor {@code <name>.valid}. */
    ZEROS
}
