package io.rankfeed.sampling.plan;

/** The method that apportions a stage's units by weight, and the run's steps among stages (docs/format/plan.md, section 3.3). */
public enum Shares {
    /** Largest remainder: each share differs from its exact share by less than one unit. */
    NEAREST,
    /** Webster's method: no share is smaller if the total is larger. */
    GROWING
}
