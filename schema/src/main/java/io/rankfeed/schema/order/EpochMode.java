package io.rankfeed.schema.order;

import java.util.Locale;

/** The way in which a run is divided into epochs. */
public enum EpochMode {
    /** One stratum without weights; every epoch is every row of the pool exactly once. */
    PASS,
    /** Weights or stages; the epochs are parts of one stream. */
    STREAM,
    /** One stratum without weights; every row in every epoch, fewer than a batch of them twice to fill the last step. */
    PADDED;

    /** The value in a job file and in order.json. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
