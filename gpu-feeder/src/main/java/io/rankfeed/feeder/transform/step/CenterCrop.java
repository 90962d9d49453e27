package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.Range;

/**
 * Crops the rectangle in the middle; if the middle is between pixels, half a pixel to the upper left (torchvision
 * rounds half to even).
 */
public record CenterCrop(
        @Range(min = 1, max = Sizes.MAX_SIDE) int height,
        @Range(min = 1, max = Sizes.MAX_SIDE) int width) implements Step {
    private static final String NAME = "center-crop";

    @Override
    public ImageShape after(ImageShape before) {
        Sizes.requireFits(NAME, width, height, before);
        return new ImageShape(height, width);
    }

    @Override
    public void apply(Canvas canvas, RowRandom random) throws RejectedImageException {
        Sizes.requireFits(NAME, width, height, canvas);
        canvas.crop((canvas.width() - width) / 2, (canvas.height() - height) / 2, width, height);
    }
}
