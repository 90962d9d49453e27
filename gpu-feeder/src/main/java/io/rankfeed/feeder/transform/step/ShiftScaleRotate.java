package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.Default;

/**
 * Moves, scales and turns the image about its middle, by amounts that are each uniform in ± the given one; what comes from outside is
 * black.
 *
 * @param shift share of the width, and of the height
 * @param scale the factor is 1 ± this
 * @param rotate degrees; a positive angle turns counter-clockwise
 * @param p probability
 */
public record ShiftScaleRotate(
        @Default("0.0625") double shift,
        @Default("0.1") double scale,
        @Default("45") double rotate,
        @Default("0.5") double p)
        implements Step {
    public ShiftScaleRotate {
        Chances.requireRange("shift", shift, 1);
        Chances.requireRange("scale", scale, 0.99);
        Chances.requireRange("rotate", rotate, 180);
        Chances.requireProbability(p);
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
    static void move(Canvas canvas, double degrees, double factor, double right, double down) {
        double cos = factor * Math.cos(Math.toRadians(degrees));
        double sin = factor * Math.sin(Math.toRadians(degrees));
        double x = (canvas.width() - 1) / 2.0;
        double y = (canvas.height() - 1) / 2.0;
        canvas.warp(cos, sin, x - cos * x - sin * y + right, -sin, cos, y + sin * x - cos * y + down);
    }
}
