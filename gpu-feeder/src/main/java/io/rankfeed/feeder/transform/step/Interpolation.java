package io.rankfeed.feeder.transform.step;

/** The method by which a value between pixels is computed; names are as in the feed file. */
public enum Interpolation {
    NEAREST,
    BILINEAR,
    BICUBIC,
    /** The mean of the pixels that it covers. */
    AREA
}
