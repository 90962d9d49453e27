package io.rankfeed.feeder.transform;

import io.rankfeed.feeder.transform.step.CenterCrop;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.RandomCrop;
import io.rankfeed.feeder.transform.step.RandomResizedCrop;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.feeder.transform.step.Resize;
import io.rankfeed.feeder.transform.step.Step;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.image.BrokenImageException;
import io.rankfeed.schema.image.ImageHeader;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;

/**
 * Bounds the memory of images that are decoded, over all threads. A thread takes all memory for its image at once and
 * holds none while it waits, so there is no deadlock. Which images are refused depends on the limit alone.
 */
public final class DecodeBudget {
    /** An upper bound on the memory for any image of {@link ImageHeader#MAX_PIXELS}. */
    public static final long DEFAULT_BYTES = 2L << 30;

    /** The minimum budget of a feeder with image steps: enough for photos of 5 megapixels. */
    public static final long MIN_BYTES = 16L << 20;

    private static final long UNIT_BYTES = 1 << 12;
    private static final int KEPT_SHARE = 32;
    private static final int CHANNELS = 3;
    /** Bytes per pixel for steps that keep the size: two images, their colors and their gray. */
    private static final int STEP_BYTES = 10;

    /** Bytes per pixel of an image that its EXIF orientation rotates: a transposed and a mirrored copy. */
    private static final int TURN_BYTES = 2 * CHANNELS;

    private static final int JAVA_BYTES = 10;
    private static final int TIFF_BYTES = 10;
    private static final int WEBP_BYTES = 4;
    /** Bytes per pixel of a JPEG with several scans: three coefficients of two bytes. */
    private static final int JPEG_BUFFER_BYTES = 6;

    private final long limitBytes;
    private final Semaphore free;

    /** @param limitBytes memory of all images that are decoded at the same time; rounded down to whole units */
    public DecodeBudget(long limitBytes) {
        int units = (int) Math.min(Integer.MAX_VALUE, limitBytes / UNIT_BYTES);
        this.limitBytes = (long) units * UNIT_BYTES;
        free = new Semaphore(units, true);
    }

    /**
     * Waits until the image can be decoded.
     *
     * @return the units to give back
     * @throws RejectedImageException if it needs more than the limit
     */
    int take(ImageHeader header, int lengthBytes, int reduction, List<Step> steps)
            throws RejectedImageException, BrokenImageException {
        long bytes = neededBytes(header, lengthBytes, reduction, steps);
        if (bytes > limitBytes) {
            throw new RejectedImageException(
                    RejectedImageException.Reason.TOO_LARGE,
                    String.format(
                            Locale.ROOT,
                            "has %d × %d pixels; decoding needs %s, and %s are available; raise --memory, or store smaller"
                                    + " images",
                            header.height(),
                            header.width(),
                            ByteSize.rounded(bytes),
                            ByteSize.rounded(limitBytes)));
        }
        int units = (int) Math.ceilDiv(bytes, UNIT_BYTES);
        free.acquireUninterruptibly(units);
        return units;
    }

    void giveBack(int units) {
        free.release(units);
    }

    /**
     * The memory that a worker keeps for its next image: 64 MiB by default, enough for photos of 12 megapixels. A new
     * allocation for each image takes as long as decoding a simple one.
     */
    long keptBytes() {
        return limitBytes / KEPT_SHARE;
    }

    /** An upper bound, measured with OpenCV 4.13 and images of 4096 × 4096 pixels. */
    private static long neededBytes(ImageHeader header, int lengthBytes, int reduction, List<Step> steps)
            throws BrokenImageException {
        boolean shrinks = steps.size() > 1
                && switch (steps.get(1)) {
                    case CenterCrop crop -> true;
                    case RandomCrop crop -> true;
                    case RandomResizedCrop crop -> true;
                    case Resize resize -> resize.filter() == Resize.Filter.OPENCV;
                    default -> false;
                };
        boolean isPlain = steps.size() == 1;
        boolean isTurned = steps.get(0) instanceof Decode decode
                && decode.orientation() == Decode.Orientation.APPLY
                && header.orientation() > 1;
        int pixelBytes = CHANNELS + (isTurned ? TURN_BYTES : 0) + (shrinks || isPlain ? 0 : STEP_BYTES);
        long decoded = header.pixels() / reduction / reduction * pixelBytes;
        int decoder = header.isDecodedInJava()
                ? JAVA_BYTES
                : switch (header.format()) {
                    case JPEG -> header.isBufferedJpeg() ? JPEG_BUFFER_BYTES : 0;
                    case PNG, BMP -> 0;
                    case WEBP -> WEBP_BYTES;
                    case TIFF -> TIFF_BYTES;
                };
        return lengthBytes + decoded + header.pixels() * decoder;
    }
}
