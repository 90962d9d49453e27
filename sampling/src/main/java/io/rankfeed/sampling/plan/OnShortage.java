package io.rankfeed.sampling.plan;

/** What to do where an epoch needs more rows of a stratum than the table has. */
public enum OnShortage {
    ERROR,
    /** Rows come more than once in an epoch. */
    REPEAT,
    /** The stratum gives what it has, the others fill up in proportion to their weights. */
    REDISTRIBUTE
}
