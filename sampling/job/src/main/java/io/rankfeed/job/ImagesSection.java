package io.rankfeed.job;

import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.image.Decoding;

/**
 * Options for the decoding of images by SQL functions.
 *
 * @param orientation whether the EXIF orientation turns the pixels
 * @param tolerateTruncated whether a JPEG without its end is decoded
 */
public record ImagesSection(
        @Default("ignore") Orientation orientation,
        @Default("false") boolean tolerateTruncated) {
    /** The lower-case name is the value in the job file. */
    public enum Orientation {
        APPLY,
        IGNORE
    }

    public Decoding decoding() {
        return new Decoding(orientation == Orientation.APPLY, tolerateTruncated);
    }
}
