package io.rankfeed.feeder.transform;

import io.rankfeed.feeder.transform.step.CenterCrop;
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
 * How much memory images may take while they are decoded, on all threads together. A thread takes what its image needs at once
 * and waits holding nothing, so images in progress always end. Which images are refused depends on the limit alone.
 */
public final class DecodeBudget {
    /** More than any image of {@link ImageHeader#MAX_PIXELS} needs. */
    public static final long DEFAULT_BYTES = 2L << 30;

    /** What a feeder with image steps must have at least: enough for photos of 5 megapixels. */
    public static final long MIN_BYTES = 16L << 20;

    private static final long UNIT_BYTES = 1 << 12;
    private static final int CHANNELS = 3;
    /** Steps that keep the size, per pixel: two images, their colors and their gray. */
    private static final int STEP_BYTES = 10;

    private static final int JAVA_BYTES = 10;
    private static final int TIFF_BYTES = 10;
    private static final int WEBP_BYTES = 4;
    /** Three coefficients of two bytes. */
    private static final int JPEG_BUFFER_BYTES = 6;

    private final long limitBytes;
    private final Semaphore free;

    public DecodeBudget(long limitBytes) {
        this.limitBytes = limitBytes;
        free = new Semaphore((int) Math.min(Integer.MAX_VALUE, limitBytes / UNIT_BYTES), true);
    }

    /**
     * Waits until the image can be decoded.
     *
     * @return what is to be given back
     * @throws RejectedImageException if it needs more than there is at all
     */
    int take(ImageHeader header, int lengthBytes, int reduction, List<Step> steps)
            throws RejectedImageException, BrokenImageException {
        long bytes = neededBytes(header, lengthBytes, reduction, steps);
        if (bytes > limitBytes) {
            throw new RejectedImageException(
                    RejectedImageException.Reason.TOO_LARGE,
                    String.format(
                            Locale.ROOT,
                            "has %d × %d pixels, which take %s to decode; %s are available; raise --memory, or store smaller"
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

    /** At most: measured of OpenCV 4.13 with images of 4096 × 4096 pixels. */
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
        long decoded = header.pixels() / reduction / reduction * (CHANNELS + (shrinks || isPlain ? 0 : STEP_BYTES));
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
