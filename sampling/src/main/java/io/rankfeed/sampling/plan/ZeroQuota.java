package io.rankfeed.sampling.plan;

/** The choice for a stratum whose weight is too small for a single unit in some stage. */
public enum ZeroQuota {
    REFUSE,
    /** Refuses it after rare strata were joined: the message no longer suggests to join them. */
    REFUSE_JOINED,
    /** The stratum is left out of that stage. */
    ALLOW
}
