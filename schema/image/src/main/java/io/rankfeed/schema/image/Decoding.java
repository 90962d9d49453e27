package io.rankfeed.schema.image;

import java.io.Serializable;

/**
 * The options of the decoding contract that a job can set (docs/functions.md).
 *
 * @param appliesOrientation whether the EXIF orientation is applied to the pixels
 * @param toleratesTruncated whether a JPEG without its end is decoded, what is missing as gray
 */
public record Decoding(boolean appliesOrientation, boolean toleratesTruncated) implements Serializable {
    public static final Decoding STRICT = new Decoding(false, false);
}
