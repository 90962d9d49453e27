package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.WrittenShort;

/**
 * Mirrors the image.
 *
 * @param p probability
 * @param axis {@code horizontal} exchanges left and right, {@code vertical} top and bottom
 */
@WrittenShort("p")
public record Flip(
        @Default("0.5") double p, @Default("horizontal") Axis axis) implements Step {
    /** What is exchanged. */
    public enum Axis {
        HORIZONTAL,
        VERTICAL
    }

    public Flip {
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
        if (axis == Axis.HORIZONTAL) {
            canvas.flipHorizontally();
        } else {
            canvas.flipVertically();
        }
    }
}
