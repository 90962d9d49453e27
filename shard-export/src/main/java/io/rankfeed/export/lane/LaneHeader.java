package io.rankfeed.export.lane;

import io.rankfeed.schema.SampleSchema;
import java.util.Locale;

/**
 * The properties that all batches of a cache file share.
 *
 * @param feed name of the feed, kept in the footer
 * @param lane the lane's number in decimal, or {@link #SHARED}
 * @param schema the feed's fields; the provenance columns come before them by themselves
 * @param batchRows rows of every record batch but the last, at least 1
 */
public record LaneHeader(String feed, String lane, SampleSchema schema, int batchRows) {
    /** The lane of the rows that every rank reads. */
    public static final String SHARED = "shared";

    /** Maximum files of a lane: their names have five digits. */
    public static final int MAX_FILES = 100_000;

    /** The path of a lane's file below the folder of a version (docs/format/cache.md, section 1). */
    public static String path(String feed, String lane, int shard) {
        return lane.equals(SHARED)
                ? String.format(Locale.ROOT, "lanes/%s/shared-%05d.arrow", feed, shard)
                : String.format(Locale.ROOT, "lanes/%s/lane-%05d-%05d.arrow", feed, Integer.parseInt(lane), shard);
    }
}
