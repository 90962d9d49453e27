package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.WrittenShort;
import io.rankfeed.schema.failure.ConfigException;

/**
 * Makes pixels of an image file by the decoding contract (docs/functions.md). First step of a column of files, and only there.
 *
 * @param mode {@code fast}: large JPEG files are decoded at a fraction of their size where the next step makes them at least as small
 * @param orientation whether the EXIF orientation is applied
 * @param tolerateTruncated whether a JPEG without its end is decoded, the missing part gray
 */
@WrittenShort("mode")
public record Decode(
        @Default("exact") Mode mode,
        @Default("ignore") Orientation orientation,
        @Default("false") boolean tolerateTruncated)
        implements Step {
    /** Whether all pixels are decoded, or only as many as the next step needs. */
    public enum Mode {
        EXACT,
        FAST
    }

    /** How the EXIF orientation is applied. */
    public enum Orientation {
        IGNORE,
        APPLY
    }

    @Override
    public ImageShape after(ImageShape before) {
        throw new ConfigException("decode is the first step of a column of image files, and only there");
    }

    /** Never called: the pipeline, which has the file, decodes it. */
    @Override
    public void apply(Canvas canvas, RowRandom random) {
        throw new IllegalStateException("decode is no step of pixels");
    }
}
