package io.rankfeed.schema.image;

/** Filters of Pillow's {@code resize}. Where the image shrinks they widen, so that every pixel counts. */
public enum Resize {
    BILINEAR(1.0) {
        @Override
        double weight(double x) {
            return x < 1 ? 1 - x : 0;
        }
    },
    BICUBIC(2.0) {
        @Override
        double weight(double x) {
            double a = -0.5;
            if (x < 1) {
                return ((a + 2) * x - (a + 3)) * x * x + 1;
            }
            return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
        }
    };

    private final double support;

    Resize(double support) {
        this.support = support;
    }

    /** Distance from the middle beyond which weights are 0, in pixels of the smaller image. */
    double support() {
        return support;
    }

    /** @param x the distance from the middle, from 0 */
    abstract double weight(double x);

    public RgbPixels of(RgbPixels image, int width, int height) {
        if (width == image.width() && height == image.height()) {
            return image;
        }
        byte[] out = new byte[Math.multiplyExact(Math.multiplyExact(width, height), 3)];
        new Resampler().resize(this, image.bytes(), image.width(), image.height(), out, width, height);
        return new RgbPixels(width, height, out);
    }
}
