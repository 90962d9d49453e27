package io.rankfeed.sampling.plan;

/** Within what a stratum's share is held to floor or ceil. */
public enum BalanceWithin {
    /** Every global batch and every rank's batch. */
    BATCH,
    /** Each epoch, or the part of it that a stage covers; batches vary. */
    EPOCH
}
