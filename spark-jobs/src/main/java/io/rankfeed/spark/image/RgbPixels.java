package io.rankfeed.spark.image;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;

/**
 * An image as bytes, row by row, three per pixel: red, green, blue. Gray is repeated, alpha is dropped, of 16 bits the upper 8 are
 * kept.
 */
public final class RgbPixels {
    private final int width;
    private final int height;
    private final byte[] bytes;

    /** @param bytes height × width × 3; not copied */
    RgbPixels(int width, int height, byte[] bytes) {
        this.width = width;
        this.height = height;
        this.bytes = bytes;
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }

    /** The samples themselves, height × width × 3. */
    public byte[] bytes() {
        return bytes;
    }

    /** @throws BrokenImageException if its channels are of another kind (more than four, or floats) */
    public static RgbPixels of(BufferedImage image) throws BrokenImageException {
        Raster raster = image.getRaster();
        int width = raster.getWidth();
        int height = raster.getHeight();
        int bands = raster.getNumBands();
        IndexColorModel palette = image.getColorModel() instanceof IndexColorModel indexed ? indexed : null;
        int bits = palette == null ? raster.getSampleModel().getSampleSize(0) : 8;
        if (bands > 4 || (bits != 8 && bits != 16)) {
            throw new BrokenImageException("has " + bands + " channels of " + bits + " bits");
        }
        byte[] out = new byte[Math.multiplyExact(Math.multiplyExact(width, height), 3)];
        int[] row = new int[width * bands];
        int at = 0;
        for (int y = 0; y < height; y++) {
            raster.getPixels(0, y, width, 1, row);
            for (int x = 0; x < width; x++) {
                for (int channel = 0; channel < 3; channel++) {
                    int sample = palette != null
                            ? palette.getRGB(row[x]) >> (16 - 8 * channel)
                            : row[x * bands + (bands < 3 ? 0 : channel)] >> (bits - 8);
                    out[at++] = (byte) sample;
                }
            }
        }
        return new RgbPixels(width, height, out);
    }

    BufferedImage image() {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_3BYTE_BGR);
        int[] row = new int[width * 3];
        for (int y = 0; y < height; y++) {
            for (int i = 0; i < row.length; i++) {
                row[i] = bytes[y * row.length + i] & 0xFF;
            }
            image.getRaster().setPixels(0, y, width, 1, row);
        }
        return image;
    }
}
