package io.rankfeed.feeder.timing;

import java.util.Locale;

/** The stages of every feed. Image steps are further ones, under their own names. */
public enum Stage {
    /** The wait of a session for a free slot before one batch; 0 where one was free. */
    WAIT_SLOT,
    /** The making of one batch, from its rows to the end of its slot. */
    FILL,
    /** The reading of a mapped file: of one image, or the waits for pages in the work on a shard of a batch. */
    READ,
    /** The check of record batches before a batch reads them for the first time. */
    VERIFY,
    /** The copying of columns: of a shard of a batch, or of one image's pixels. */
    ASSEMBLE,
    /** The text rules of one column over a shard of a batch; lengths and values are one duration each. */
    TEXT,
    /** The client's wait for one batch; 0 where it was ready. */
    WAIT_BATCH,
    /** One call of the function of the client's user, in the trainer or in workers. */
    TRANSFORM,
    /** The client's copy of one batch. */
    COPY,
    /** The time from one batch to the request for the next. */
    TRAINER;

    /** The name in the stage table. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
