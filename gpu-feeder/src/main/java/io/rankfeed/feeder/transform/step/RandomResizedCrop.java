package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import java.util.List;

/**
 * Crops a rectangle of random area and shape, and resizes it. Area and shape are drawn as torchvision does: a share of
 * the image's area, uniform in {@code scale}; a ratio of width to height, uniform in its logarithm; up to ten attempts,
 * then the largest rectangle in the middle whose ratio is allowed, of at least one pixel per side.
 */
public record RandomResizedCrop(
        @Range(min = 1, max = Sizes.MAX_SIDE) int height,
        @Range(min = 1, max = Sizes.MAX_SIDE) int width,
        @Default("[0.08, 1.0]") List<Double> scale,
        @Default("[0.75, 1.3333333333333333]") List<Double> ratio,
        @Default("bilinear") Interpolation interpolation)
        implements Step {
    private static final int ATTEMPTS = 10;

    public RandomResizedCrop {
        ParameterChecks.requireInterval("scale", scale, 1);
        ParameterChecks.requireInterval("ratio", ratio, 1000);
    }

    @Override
    public ImageShape after(ImageShape before) {
        return new ImageShape(height, width);
    }

    @Override
    public void apply(Canvas canvas, RowRandom random) {
        Box box = box(canvas.width(), canvas.height(), random);
        canvas.crop(box.x, box.y, box.w, box.h);
        canvas.resize(width, height, interpolation);
    }

    /** The rectangle, not the whole image, must keep at least the size of the result. */
    @Override
    public int reduction(int oldWidth, int oldHeight, RowRandom random) {
        Box box = box(oldWidth, oldHeight, random);
        return Sizes.reduction(box.w, box.h, width, height);
    }

    @Override
    public void applyReduced(Canvas canvas, int oldWidth, int oldHeight, RowRandom random) {
        Box box = box(oldWidth, oldHeight, random);
        int by = Sizes.reduction(box.w, box.h, width, height);
        // Both edges are rounded, so the rectangle keeps at least as many pixels as the result.
        int left = Math.round((float) box.x / by);
        int top = Math.round((float) box.y / by);
        int right = Math.round((float) (box.x + box.w) / by);
        int bottom = Math.round((float) (box.y + box.h) / by);
        canvas.crop(left, top, right - left, bottom - top);
        canvas.resize(width, height, interpolation);
    }

    private Box box(int oldWidth, int oldHeight, RowRandom random) {
        double area = (double) oldWidth * oldHeight;
        double logFrom = Math.log(ratio.get(0));
        double logTo = Math.log(ratio.get(1));
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            double wanted = area * random.uniform(scale.get(0), scale.get(1));
            double shape = Math.exp(random.uniform(logFrom, logTo));
            int w = (int) Math.rint(Math.sqrt(wanted * shape));
            int h = (int) Math.rint(Math.sqrt(wanted / shape));
            if (w > 0 && h > 0 && w <= oldWidth && h <= oldHeight) {
                int y = random.below(oldHeight - h + 1);
                int x = random.below(oldWidth - w + 1);
                return new Box(x, y, w, h);
            }
        }
        double shape = (double) oldWidth / oldHeight;
        int w = oldWidth;
        int h = oldHeight;
        if (shape < ratio.get(0)) {
            h = Math.max(1, (int) Math.rint(oldWidth / ratio.get(0)));
        } else if (shape > ratio.get(1)) {
            w = Math.max(1, (int) Math.rint(oldHeight * ratio.get(1)));
        }
        return new Box((oldWidth - w) / 2, (oldHeight - h) / 2, w, h);
    }

    private record Box(int x, int y, int w, int h) {}
}
