package io.rankfeed.sampling.plan;

/** How many rows of a stratum a run of several epochs draws from, as far as the table has them. */
public enum PoolSpan {
    /** As many as the whole run needs. */
    RUN,
    /** As many as its most demanding epoch needs: later epochs see the same rows again. */
    EPOCH
}
