package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.Default;

/**
 * Replaces each sample s by a·s + 255·b, cut to 0 to 255 and to a whole number, with a uniform in 1 ± {@code contrast} and b uniform
 * in ± {@code brightness}.
 *
 * @param p probability
 */
public record BrightnessContrast(
        @Default("0.2") double brightness,
        @Default("0.2") double contrast,
        @Default("0.5") double p) implements Step {
    public BrightnessContrast {
        ParameterChecks.requireRange("brightness", brightness, 1);
        ParameterChecks.requireRange("contrast", contrast, 1);
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
        double factor = 1 + random.uniform(-contrast, contrast);
        double added = 255 * random.uniform(-brightness, brightness);
        canvas.scaleAndAdd(factor, added);
    }
}
