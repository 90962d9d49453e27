package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import java.util.List;

/**
 * Moves, scales and turns the image about its middle, by amounts that are each uniform in ± the given one.
 *
 * @param shift share of the width, and of the height
 * @param scale the factor is 1 ± this
 * @param rotate degrees; a positive angle turns counter-clockwise
 * @param p probability
 * @param interpolation {@code nearest} creates no new values, as the classes of a mask require
 * @param border how pixels from outside the image are filled
 * @param value red, green and blue of pixels from outside, with {@code border: constant}
 */
public record ShiftScaleRotate(
        @Default("0.0625") double shift,
        @Default("0.1") double scale,
        @Default("45") double rotate,
        @Default("0.5") double p,
        @Default("bilinear") Interpolation interpolation,
        @Default("constant") Border border,
        @Default("[0, 0, 0]") List<Integer> value)
        implements Step {
    private static final List<Integer> BLACK = List.of(0, 0, 0);

    public ShiftScaleRotate {
        ParameterChecks.requireRange("shift", shift, 1);
        ParameterChecks.requireRange("scale", scale, 0.99);
        ParameterChecks.requireRange("rotate", rotate, 180);
        ParameterChecks.requireProbability(p);
        if (interpolation == Interpolation.AREA) {
            throw new BadValue("interpolation", "area is for resizing; write nearest, bilinear or bicubic");
        }
        Border.requireColor(value);
        if (border != Border.CONSTANT && !value.equals(BLACK)) {
            throw new BadValue(
                    "value", value + " has no effect with this border; remove it, or write border: constant");
        }
    }

    @Override
    public ImageShape after(ImageShape before) {
        return before;
    }

    @Override
    public boolean happens(RowRandom random) {
        return random.happens(p);
    }

    @Override
    public void apply(Canvas canvas, RowRandom random) {
        double degrees = random.uniform(-rotate, rotate);
        double factor = 1 + random.uniform(-scale, scale);
        double right = random.uniform(-shift, shift) * canvas.width();
        double down = random.uniform(-shift, shift) * canvas.height();
        move(canvas, degrees, factor, right, down);
    }

    /** Turns and scales about the middle of the image's pixels, then moves by this many pixels. */
    void move(Canvas canvas, double degrees, double factor, double right, double down) {
        double cos = factor * Math.cos(Math.toRadians(degrees));
        double sin = factor * Math.sin(Math.toRadians(degrees));
        double x = (canvas.width() - 1) / 2.0;
        double y = (canvas.height() - 1) / 2.0;
        double[] matrix = {cos, sin, x - cos * x - sin * y + right, -sin, cos, y + sin * x - cos * y + down};
        canvas.warp(matrix, interpolation, border, value);
    }
}
