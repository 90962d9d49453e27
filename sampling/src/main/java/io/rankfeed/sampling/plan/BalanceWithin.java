package io.rankfeed.sampling.plan;

/** The range of batches within which a stratum's share is rounded to its floor or ceiling. */
public enum BalanceWithin {
    /** The share holds in every global batch and every rank's batch. */
    BATCH,
    /** Each epoch, or the part of it that a stage covers, has the shares; batches vary. */
    EPOCH
}
