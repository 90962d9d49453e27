package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.Range;

/** Crops a rectangle of a fixed size; each offset in the image is equally likely. */
public record RandomCrop(
        @Range(min = 1, max = Sizes.MAX_SIDE) int height,
        @Range(min = 1, max = Sizes.MAX_SIDE) int width) implements Step {
    private static final String NAME = "random-crop";

    @Override
    public ImageShape after(ImageShape before) {
        Sizes.requireFits(NAME, width, height, before);
        return new ImageShape(height, width);
    }

    @Override
    public void apply(Canvas canvas, RowRandom random) throws RejectedImageException {
        Sizes.requireFits(NAME, width, height, canvas);
        int x = random.below(canvas.width() - width + 1);
        int y = random.below(canvas.height() - height + 1);
        canvas.crop(x, y, width, height);
    }
}
