package io.rankfeed.feeder.transform.step;

/**
 * The size of an image as far as it is known before a row is read.
 *
 * @param height rows; 0 where images differ
 * @param width pixels per row; 0 where images differ
 */
public record ImageShape(int height, int width) {
    /** Images of any size. */
    public static final ImageShape ANY = new ImageShape(0, 0);

    /** Whether every image has this size. */
    public boolean isFixed() {
        return height > 0 && width > 0;
    }

    @Override
    public String toString() {
        return isFixed() ? "[" + height + ", " + width + ", 3]" : "[any height, any width, 3]";
    }
}
