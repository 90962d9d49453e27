package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import java.util.List;

/**
 * Adds borders to an image that is smaller than this size; the image is in the middle (an odd pixel goes to the lower
 * right).
 *
 * @param value red, green and blue of the border
 */
public record Pad(
        @Range(min = 1, max = Sizes.MAX_SIDE) int height,
        @Range(min = 1, max = Sizes.MAX_SIDE) int width,
        @Default("[0, 0, 0]") List<Integer> value)
        implements Step {
    public Pad {
        Border.requireColor(value);
    }

    @Override
    public ImageShape after(ImageShape before) {
        return before.isFixed()
                ? new ImageShape(Math.max(before.height(), height), Math.max(before.width(), width))
                : ImageShape.ANY;
    }

    @Override
    public void apply(Canvas canvas, RowRandom random) {
        int rows = Math.max(0, height - canvas.height());
        int columns = Math.max(0, width - canvas.width());
        if (rows > 0 || columns > 0) {
            canvas.pad(
                    rows / 2,
                    rows - rows / 2,
                    columns / 2,
                    columns - columns / 2,
                    value.get(0),
                    value.get(1),
                    value.get(2));
        }
    }
}
