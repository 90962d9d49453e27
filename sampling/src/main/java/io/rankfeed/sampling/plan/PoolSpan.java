package io.rankfeed.sampling.plan;

/** The period whose demand determines how many rows of a stratum the pool has, as far as the table has them. */
public enum PoolSpan {
    /** The pool has as many rows as the whole run needs. */
    RUN,
    /** The pool has as many rows as the most demanding epoch needs: later epochs read the same rows again. */
    EPOCH,
    /** The pool has all rows, also those that the run does not need: plans over the version may draw them. */
    ALL
}
