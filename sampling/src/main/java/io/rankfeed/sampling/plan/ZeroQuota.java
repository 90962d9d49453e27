package io.rankfeed.sampling.plan;

/** What to do where a stratum has a weight, but one too small for a single unit in some stage. */
public enum ZeroQuota {
    REFUSE,
    /** Refuses it after rare strata were joined: the message no longer suggests to join them. */
    REFUSE_JOINED,
    /** The stratum is left out of that stage. */
    ALLOW
}
