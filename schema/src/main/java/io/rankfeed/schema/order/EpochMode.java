package io.rankfeed.schema.order;

import java.util.Locale;

/** The way in which a run is divided into epochs. */
public enum EpochMode {
    /** For a feed of one stratum without weights: every epoch has every row of the pool exactly once. */
    PASS,
    /** For a feed with weights or stages: the epochs are parts of one stream. */
    STREAM,
    /**
     * For a feed of one stratum without weights: every epoch has every row, and fewer than a batch of them twice, to
     * fill the last step.
     */
    PADDED;

    /** The value in a job file and in order.json. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
