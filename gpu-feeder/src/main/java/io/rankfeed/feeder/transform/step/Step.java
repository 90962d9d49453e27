package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.NamedVariants;

/** One step of a pipeline, as it is written in a feed file: {@code {flip: {p: 0.5}}}. Immutable. */
@NamedVariants
public sealed interface Step
        permits Decode,
                Resize,
                CenterCrop,
                RandomCrop,
                RandomResizedCrop,
                Pad,
                Flip,
                ShiftScaleRotate,
                BrightnessContrast,
                ColorJitter {
    /**
     * The shape after this step.
     *
     * @throws io.rankfeed.schema.failure.ConfigException if no image of the shape before can pass
     */
    ImageShape after(ImageShape before);

    /** Whether the step changes this row's image at random; draws the first random numbers of the row and step. */
    default boolean happens(RowRandom random) {
        return true;
    }

    /**
     * Changes one image, if {@link #happens} returned true.
     *
     * @throws RejectedImageException if this image cannot pass
     */
    void apply(Canvas canvas, RowRandom random) throws RejectedImageException;

    /** The factor (1, 2, 4 or 8) by which an image may be reduced before this step, so that the step does not have to enlarge it. */
    default int reduction(int width, int height, RowRandom random) {
        return 1;
    }

    /**
     * Applies the step to an image that was decoded at 1 / {@link #reduction} of its size: nearly the result for the whole image.
     *
     * @param width of the whole image
     * @param height of the whole image
     * @throws RejectedImageException if the image has an unsuitable size
     */
    default void applyReduced(Canvas canvas, int width, int height, RowRandom random) throws RejectedImageException {
        throw new IllegalStateException("images are not reduced before this step");
    }
}
