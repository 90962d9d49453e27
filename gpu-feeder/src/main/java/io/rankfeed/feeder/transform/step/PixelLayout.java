package io.rankfeed.feeder.transform.step;

import java.util.List;

/** The order of an image's dimensions in a tensor. */
public enum PixelLayout {
    /** [rows, height, width, 3]. */
    NHWC {
        @Override
        public List<Integer> dims(int height, int width) {
            return List.of(height, width, 3);
        }
    },
    /** [rows, 3, height, width]. */
    NCHW {
        @Override
        public List<Integer> dims(int height, int width) {
            return List.of(3, height, width);
        }
    };

    /** The shape of one row. */
    public abstract List<Integer> dims(int height, int width);
}
