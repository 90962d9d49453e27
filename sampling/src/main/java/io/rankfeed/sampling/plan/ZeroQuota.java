package io.rankfeed.sampling.plan;

/** What to do where a stratum has a weight, but one too small for a single unit in some stage. */
public enum ZeroQuota {
    REFUSE,
    /** The same, after rare strata were joined: joining them is no remedy any more. */
    REFUSE_JOINED,
    /** The stratum is left out of that stage. */
    ALLOW
}
