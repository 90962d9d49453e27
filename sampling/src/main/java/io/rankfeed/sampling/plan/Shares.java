package io.rankfeed.sampling.plan;

/** How a stage's units are parted by weight, and the run's steps among stages (docs/format/plan.md, section 3.3). */
public enum Shares {
    /** By largest remainder: each share within a unit of what its weight asks. */
    NEAREST,
    /** By Webster's divisors: no share is less where there is more to part. */
    GROWING
}
