package io.rankfeed.feeder.transform.step;

/** How a pixel between pixels gets its value, in the words of the feed file. */
public enum Interpolation {
    NEAREST,
    BILINEAR,
    BICUBIC,
    /** The mean of the pixels that it covers. */
    AREA
}
