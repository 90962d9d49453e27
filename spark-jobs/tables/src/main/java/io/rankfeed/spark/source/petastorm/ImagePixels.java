package io.rankfeed.spark.source.petastorm;

import io.rankfeed.export.petastorm.NumpyType;
import io.rankfeed.export.petastorm.Unfit;
import io.rankfeed.export.petastorm.UnischemaField;
import io.rankfeed.schema.image.BrokenImageException;
import io.rankfeed.schema.image.ImageFile;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;

/**
 * The pixels of a PNG or JPEG file, row by row, RGB or grey. Its header is compared with the field's shape before a pixel
 * is decoded.
 */
final class ImagePixels {
    private static final long MAX_SAMPLES = 1L << 29;

    private ImagePixels() {}

    /** @throws Unfit if it is not a PNG or JPEG, or of another shape or depth than the field */
    static byte[] decoded(UnischemaField field, byte[] file) throws Unfit {
        try (ImageFile image = ImageFile.open(file)) {
            boolean grey = field.shape().size() == 2;
            int height = image.height();
            int width = image.width();
            checkShape(field, grey ? new int[] {height, width} : new int[] {height, width, 3});
            return samples(field, image.decoded(), grey);
        } catch (BrokenImageException e) {
            throw new Unfit(String.valueOf(e.getMessage()));
        }
    }

    private static void checkShape(UnischemaField field, int[] shape) throws Unfit {
        long samples = 1;
        for (int dim : shape) {
            samples *= dim;
        }
        if (!field.fits(shape) || samples > MAX_SAMPLES) {
            throw new Unfit(
                    "is an image of " + shape[0] + " x " + shape[1] + ", where the Unischema says " + field.shape());
        }
    }

    private static byte[] samples(UnischemaField field, BufferedImage image, boolean grey) throws Unfit {
        Raster raster = image.getRaster();
        int bands = grey ? 1 : 3;
        IndexColorModel palette = image.getColorModel() instanceof IndexColorModel indexed ? indexed : null;
        int bits = palette == null ? raster.getSampleModel().getSampleSize(0) : 8;
        int wanted = field.type() == NumpyType.UINT16 ? 16 : 8;
        if (bits != wanted || (palette == null && raster.getNumBands() != bands)) {
            throw new Unfit("is an image of " + raster.getNumBands() + " channels of " + bits
                    + " bits, where the Unischema says " + bands + " of " + wanted);
        }
        int width = raster.getWidth();
        byte[] out = new byte[raster.getHeight() * width * bands * (wanted / 8)];
        int[] row = new int[width * raster.getNumBands()];
        int at = 0;
        for (int y = 0; y < raster.getHeight(); y++) {
            raster.getPixels(0, y, width, 1, row);
            for (int i = 0; i < row.length; i++) {
                if (palette != null) {
                    int rgb = palette.getRGB(row[i]);
                    for (int band = 0; band < bands; band++) {
                        out[at++] = (byte) (rgb >> (16 - 8 * band));
                    }
                } else {
                    out[at++] = (byte) row[i];
                    if (wanted == 16) {
                        out[at++] = (byte) (row[i] >> 8);
                    }
                }
            }
        }
        return out;
    }
}
