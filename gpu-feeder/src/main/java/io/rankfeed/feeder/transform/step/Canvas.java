package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.image.ImageHeader;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One 8-bit RGB image that operations change, with the memory that they need. A worker has one canvas and reuses it for each row; for
 * images of usual size it allocates nothing. Confined to one thread at a time. The operations are those of OpenCV
 * with the same arguments, unless they say otherwise.
 */
public interface Canvas extends AutoCloseable {
    int width();

    int height();

    /**
     * Writes the image to a slot. Only Java writes there. Another process may truncate the slot's file at any time, and
     * native code that writes to it would then end the feeder of all ranks.
     *
     * @param offset of the row's first byte
     * @param shape that the image has
     */
    void write(MemorySegment slot, long offset, ImageShape shape, PixelLayout layout);

    /**
     * Decodes a file by the decoding contract (docs/functions.md).
     *
     * @param offset of the file's first byte in {@code memory}
     * @param header of the file
     * @param reduction 1, 2, 4 or 8: decode at this fraction of the size, sides rounded up; 1 for CMYK and files other than JPEG
     * @throws RejectedImageException if it cannot be decoded
     */
    void decode(MemorySegment memory, long offset, int lengthBytes, ImageHeader header, int reduction, Decode options)
            throws RejectedImageException;

    /** Uses pixels [height, width, 3] as the image; they are not written to. */
    void view(MemorySegment memory, long offset, int height, int width);

    /** Keeps a rectangle inside the image; copies nothing. */
    void crop(int x, int y, int width, int height);

    void resize(int width, int height, Interpolation interpolation);

    /** Resizes with a filter of Pillow, which widens where the image shrinks: {@code BILINEAR} or {@code BICUBIC}. */
    void resizeAsPillow(int width, int height, Interpolation interpolation);

    void flipHorizontally();

    void flipVertically();

    /** Adds borders of one value. */
    void pad(int top, int bottom, int left, int right, int red, int green, int blue);

    /**
     * Moves the pixel (x, y) to (a·x + b·y + c, d·x + e·y + f).
     *
     * @param matrix the six coefficients a to f
     * @param value red, green and blue of a constant border
     */
    void warp(double[] matrix, Interpolation interpolation, Border border, List<Integer> value);

    /** Replaces each sample s by {@code factor} · s + {@code added} in single precision, cut to 0 to 255 and to a whole number. */
    void scaleAndAdd(double factor, double added);

    /** Blends with the image's own gray: {@code factor} · image + (1 − factor) · gray, rounded and cut to 0 to 255. */
    void saturate(double factor);

    /** Rotates the hue by a fraction of the circle, in 8-bit HSV (hue in 180 steps, cut to a whole one). */
    void turnHue(double fraction);

    /** Draws ASCII text in dark gray, starting at (x, y) on its base line. */
    void draw(String text, int x, int y);

    /** Drops the image. Frees all memory that depends on its size if it is more than {@code keptBytes}. */
    void trim(long keptBytes);

    /** The mean of the image's gray, of 0 to 255. */
    double meanGray();

    @Override
    void close();
}
