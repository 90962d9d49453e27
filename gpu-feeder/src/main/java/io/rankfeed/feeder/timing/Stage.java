package io.rankfeed.feeder.timing;

import java.util.Locale;

/** The stages of every feed. Image steps are further ones, under their own names. */
public enum Stage {
    /** The wait of a session for a free slot before one batch; 0 where one was free. */
    WAIT_SLOT,
    /** The making of one batch, from its rows to the end of its slot. */
    FILL,
    /** The reading of a mapped file: of one image, or of a shard of a batch for which pages came from a disk. */
    READ,
    /** The copying of columns: of a shard of a batch, or of one image's pixels. */
    ASSEMBLE,
    /** The text rules of one column over a shard of a batch; lengths and values are one duration each. */
    TEXT;

    /** The name in the stage table. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
