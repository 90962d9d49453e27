package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.failure.ConfigException;

/** The arithmetic of sides that several steps share. */
final class Sizes {
    /** The maximum side of an image that a step makes. */
    static final int MAX_SIDE = 1 << 14;

    private Sizes() {}

    /** Returns the largest of 8, 4, 2 and 1 by which an image can be reduced so that it has at least the new size. */
    static int reduction(int width, int height, int newWidth, int newHeight) {
        int reduction = 8;
        while (reduction > 1 && (width < (long) reduction * newWidth || height < (long) reduction * newHeight)) {
            reduction /= 2;
        }
        return reduction;
    }

    static void requireFits(String step, int width, int height, ImageShape before) {
        if (before.isFixed() && (before.width() < width || before.height() < height)) {
            throw new ConfigException(step + " needs images of at least " + height + " × " + width + ", and these are "
                    + before + "; add resize: or pad: before it");
        }
    }

    static void requireFits(String step, int width, int height, Canvas canvas) throws RejectedImageException {
        if (canvas.width() < width || canvas.height() < height) {
            throw new RejectedImageException(
                    RejectedImageException.Reason.CORRUPTED,
                    "is " + canvas.height() + " × " + canvas.width() + ", smaller than the " + height + " × " + width
                            + " of " + step + "; add resize: or pad: before it");
        }
    }
}
