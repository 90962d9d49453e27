package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.config.WrittenShort;
import io.rankfeed.schema.failure.ConfigException;
import java.util.Optional;

/**
 * Resizes the image to an exact size, or its shorter side to a length with the shape kept (the longer side is cut to
 * whole pixels, as torchvision does).
 *
 * @param shorterSide excludes {@code height} and {@code width}
 * @param filter {@code opencv}: OpenCV's {@code resize}; {@code pillow}: Pillow's, which antialiases, bilinear or bicubic
 */
@WrittenShort("shorter-side")
public record Resize(
        @Range(min = 1, max = Sizes.MAX_SIDE) Optional<Integer> shorterSide,
        @Range(min = 1, max = Sizes.MAX_SIDE) Optional<Integer> height,
        @Range(min = 1, max = Sizes.MAX_SIDE) Optional<Integer> width,
        @Default("bilinear") Interpolation interpolation,
        @Default("opencv") Filter filter)
        implements Step {
    /** The library whose resize filters are used. */
    public enum Filter {
        OPENCV,
        PILLOW
    }

    public Resize {
        boolean isExact = height.isPresent() && width.isPresent();
        boolean isShorter = shorterSide.isPresent() && height.isEmpty() && width.isEmpty();
        if (!(isShorter || (isExact && shorterSide.isEmpty()))) {
            throw new ConfigException("write either height and width, or shorter-side");
        }
        boolean isOfPillow = interpolation == Interpolation.BILINEAR || interpolation == Interpolation.BICUBIC;
        if (filter == Filter.PILLOW && !isOfPillow) {
            throw new ConfigException("filter: pillow has the interpolations bilinear and bicubic");
        }
    }

    @Override
    public ImageShape after(ImageShape before) {
        if (shorterSide.isEmpty()) {
            return new ImageShape(height.orElseThrow(), width.orElseThrow());
        }
        return before.isFixed()
                ? new ImageShape(newHeight(before.width(), before.height()), newWidth(before.width(), before.height()))
                : ImageShape.ANY;
    }

    @Override
    public void apply(Canvas canvas, RowRandom random) throws RejectedImageException {
        applyReduced(canvas, canvas.width(), canvas.height(), random);
    }

    /** The new size is computed from the whole image: the sides of a reduced one are rounded up, so its shape differs. */
    @Override
    public void applyReduced(Canvas canvas, int oldWidth, int oldHeight, RowRandom random)
            throws RejectedImageException {
        int newWidth = newWidth(oldWidth, oldHeight);
        int newHeight = newHeight(oldWidth, oldHeight);
        if (newWidth > Sizes.MAX_SIDE || newHeight > Sizes.MAX_SIDE) {
            throw new RejectedImageException(
                    RejectedImageException.Reason.TOO_LARGE,
                    "of " + oldHeight + " × " + oldWidth + " pixels becomes " + newHeight + " × " + newWidth
                            + ", more than " + Sizes.MAX_SIDE + " per side");
        }
        if (filter == Filter.PILLOW) {
            canvas.resizeAsPillow(newWidth, newHeight, interpolation);
        } else {
            canvas.resize(newWidth, newHeight, interpolation);
        }
    }

    @Override
    public int reduction(int oldWidth, int oldHeight, RowRandom random) {
        return Sizes.reduction(oldWidth, oldHeight, newWidth(oldWidth, oldHeight), newHeight(oldWidth, oldHeight));
    }

    private int newWidth(int oldWidth, int oldHeight) {
        return shorterSide.isEmpty() ? width.orElseThrow() : side(shorterSide.orElseThrow(), oldWidth, oldHeight);
    }

    private int newHeight(int oldWidth, int oldHeight) {
        return shorterSide.isEmpty() ? height.orElseThrow() : side(shorterSide.orElseThrow(), oldHeight, oldWidth);
    }

    private static int side(int shorter, int mine, int other) {
        return mine <= other ? shorter : (int) ((long) shorter * mine / other);
    }
}
