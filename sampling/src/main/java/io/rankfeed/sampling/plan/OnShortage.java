package io.rankfeed.sampling.plan;

/** The choice for an epoch that needs more rows of a stratum than the table has. */
public enum OnShortage {
    ERROR,
    /** Rows are repeated within an epoch. */
    REPEAT,
    /** The stratum gives what it has, the others fill up in proportion to their weights. */
    REDISTRIBUTE
}
