package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.config.BadValue;
import java.util.List;

/** The way in which pixels beyond an image's edges are filled; names are as in OpenCV. */
public enum Border {
    /** One color. */
    CONSTANT,
    /** The pixel at the edge. */
    REPLICATE,
    /** The image mirrored, the pixel at the edge twice. */
    REFLECT,
    /** The image mirrored, the pixel at the edge once. */
    REFLECT_101;

    static void requireColor(List<Integer> value) {
        if (value.size() != 3 || value.stream().anyMatch(sample -> sample < 0 || sample > 255)) {
            throw new BadValue("value", value + " must be three numbers of 0 to 255, as in [0, 0, 0]");
        }
    }
}
