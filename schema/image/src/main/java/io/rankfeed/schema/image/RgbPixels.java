package io.rankfeed.schema.image;

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
    public RgbPixels(int width, int height, byte[] bytes) {
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

    /** The image turned and mirrored as the orientation says; 5 to 8 swap width and height. */
    RgbPixels turned(int orientation) {
        if (orientation == 1) {
            return this;
        }
        boolean swapped = orientation >= 5;
        int newWidth = swapped ? height : width;
        int newHeight = swapped ? width : height;
        byte[] out = new byte[bytes.length];
        int at = 0;
        for (int y = 0; y < newHeight; y++) {
            for (int x = 0; x < newWidth; x++) {
                int u = swapped ? y : x;
                int v = swapped ? x : y;
                int column = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8
                        ? width - 1 - u
                        : u;
                int row = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7
                        ? height - 1 - v
                        : v;
                System.arraycopy(bytes, (row * width + column) * 3, out, at, 3);
                at += 3;
            }
        }
        return new RgbPixels(newWidth, newHeight, out);
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
