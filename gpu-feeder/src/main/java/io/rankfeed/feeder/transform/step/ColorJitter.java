package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.Default;

/**
 * Changes brightness, contrast, saturation and hue, in random order, as torchvision's ColorJitter does: brightness multiplies, contrast
 * blends with the mean gray, saturation with the image's own gray, each by a factor uniform in 1 ± the given amount; the hue is turned
 * by a fraction of the circle uniform in ± {@code hue}. Changes with a factor of 1 or a hue of 0 are skipped: the conversion to 8-bit
 * HSV and back would change samples by several levels.
 *
 * @param p probability
 */
public record ColorJitter(
        @Default("0.2") double brightness,
        @Default("0.2") double contrast,
        @Default("0.2") double saturation,
        @Default("0") double hue,
        @Default("1") double p)
        implements Step {
    private static final int CHANGES = 4;
    private static final int ORDERS = 24;

    public ColorJitter {
        ParameterChecks.requireRange("brightness", brightness, 1);
        ParameterChecks.requireRange("contrast", contrast, 1);
        ParameterChecks.requireRange("saturation", saturation, 1);
        ParameterChecks.requireRange("hue", hue, 0.5);
        ParameterChecks.requireProbability(p);
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
        double brightnessFactor = 1 + random.uniform(-brightness, brightness);
        double contrastFactor = 1 + random.uniform(-contrast, contrast);
        double saturationFactor = 1 + random.uniform(-saturation, saturation);
        double turned = random.uniform(-hue, hue);
        int order = random.below(ORDERS);
        int left = 0b1111;
        for (int changes = CHANGES; changes > 0; changes--) {
            int change = nth(left, order % changes);
            order /= changes;
            left &= ~(1 << change);
            switch (change) {
                case 0 -> changeBrightness(canvas, brightnessFactor);
                case 1 -> changeContrast(canvas, contrastFactor);
                case 2 -> changeSaturation(canvas, saturationFactor);
                default -> changeHue(canvas, turned);
            }
        }
    }

    static void changeBrightness(Canvas canvas, double factor) {
        if (factor != 1) {
            canvas.scaleAndAdd(factor, 0);
        }
    }

    static void changeContrast(Canvas canvas, double factor) {
        if (factor != 1) {
            canvas.scaleAndAdd(factor, (1 - factor) * canvas.meanGray());
        }
    }

    static void changeSaturation(Canvas canvas, double factor) {
        if (factor != 1) {
            canvas.saturate(factor);
        }
    }

    static void changeHue(Canvas canvas, double fraction) {
        if (fraction != 0) {
            canvas.turnHue(fraction);
        }
    }

    /** The n-th bit that is set, from 0. */
    private static int nth(int bits, int n) {
        int at = Integer.numberOfTrailingZeros(bits);
        for (int i = 0; i < n; i++) {
            at = Integer.numberOfTrailingZeros(bits & -1 << (at + 1));
        }
        return at;
    }
}
