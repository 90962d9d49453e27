package io.rankfeed.schema.image;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;

/**
 * The samples of a JPEG as gray or RGB. Java's own conversion takes YCbCr without subsampling and without a JFIF marker for RGB, and
 * leaves CMYK as it is; this one follows libjpeg, and for CMYK Pillow's {@code convert("RGB")}, value for value.
 */
final class JpegColors {
    private static final int SCALE_BITS = 16;
    private static final int HALF = 1 << (SCALE_BITS - 1);
    private static final int CR_TO_RED = fixed(1.40200);
    private static final int CB_TO_BLUE = fixed(1.77200);
    private static final int CR_TO_GREEN = fixed(0.71414);
    private static final int CB_TO_GREEN = fixed(0.34414);

    private JpegColors() {}

    /** @param raster samples as stored in the file, before any color conversion */
    static BufferedImage converted(Raster raster, JpegMarkers jpeg) throws BrokenImageException {
        JpegMarkers.Color color = jpeg.color();
        int width = raster.getWidth();
        int height = raster.getHeight();
        boolean gray = color == JpegMarkers.Color.GRAY;
        BufferedImage image =
                new BufferedImage(width, height, gray ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_3BYTE_BGR);
        int bands = raster.getNumBands();
        int[] in = new int[width * bands];
        int[] out = new int[width * (gray ? 1 : 3)];
        for (int y = 0; y < height; y++) {
            raster.getPixels(raster.getMinX(), raster.getMinY() + y, width, 1, in);
            for (int band = 0; band < bands; band++) {
                if (jpeg.hasHalfTheRows(band)) {
                    smooth(raster, band, y, in);
                }
            }
            if (gray || color == JpegMarkers.Color.RGB) {
                System.arraycopy(in, 0, out, 0, out.length);
            } else {
                for (int x = 0; x < width; x++) {
                    pixel(color, in, x * bands, out, x * 3);
                }
            }
            image.getRaster().setPixels(0, y, width, 1, out);
        }
        return image;
    }

    /** Java's decoder repeats the rows of a component that has half of them; libjpeg-turbo takes 3/4 of a row and 1/4 of its neighbor. */
    private static void smooth(Raster raster, int band, int y, int[] row) {
        boolean isUpper = y % 2 == 0;
        int other = isUpper ? y - 1 : y + 1;
        if (other < 0 || other >= raster.getHeight()) {
            return;
        }
        int bands = raster.getNumBands();
        for (int x = 0; x < raster.getWidth(); x++) {
            int neighbor = raster.getSample(raster.getMinX() + x, raster.getMinY() + other, band);
            row[x * bands + band] = (3 * row[x * bands + band] + neighbor + (isUpper ? 1 : 2)) >> 2;
        }
    }

    private static void pixel(JpegMarkers.Color color, int[] in, int from, int[] out, int to) {
        if (color == JpegMarkers.Color.CMYK) {
            System.arraycopy(in, from, out, to, 3);
        } else {
            rgb(in[from], in[from + 1], in[from + 2], out, to);
        }
        if (color == JpegMarkers.Color.YCC) {
            return;
        }
        int black = in[from + 3];
        for (int channel = 0; channel < 3; channel++) {
            // YCCK holds the ink as the complement of RGB. Inks are stored inverted, as Adobe writes them: 255 is no
            // ink.
            int stored = color == JpegMarkers.Color.YCCK ? 255 - out[to + channel] : out[to + channel];
            out[to + channel] = Math.max(0, black - timesOver255(255 - stored, black));
        }
    }

    private static void rgb(int luma, int blue, int red, int[] out, int to) {
        int cb = blue - 128;
        int cr = red - 128;
        out[to] = sample(luma + ((CR_TO_RED * cr + HALF) >> SCALE_BITS));
        out[to + 1] = sample(luma + ((-CB_TO_GREEN * cb - CR_TO_GREEN * cr + HALF) >> SCALE_BITS));
        out[to + 2] = sample(luma + ((CB_TO_BLUE * cb + HALF) >> SCALE_BITS));
    }

    private static int sample(int value) {
        return Math.max(0, Math.min(255, value));
    }

    /** {@code a * b / 255}, rounded. */
    private static int timesOver255(int a, int b) {
        int product = a * b + 128;
        return ((product >> 8) + product) >> 8;
    }

    private static int fixed(double factor) {
        return (int) (factor * (1 << SCALE_BITS) + 0.5);
    }
}
