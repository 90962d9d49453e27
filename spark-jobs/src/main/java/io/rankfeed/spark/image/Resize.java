package io.rankfeed.spark.image;

/**
 * Another size of an image, by weighted means in whole numbers, first along rows, then along columns: the same bytes on
 * every machine, and those of Pillow's {@code resize}. Where the image shrinks the filter widens, so that every pixel
 * counts.
 */
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

    /** Bits after the point of a weight: 32 less the 8 of a sample and 2 for overshoot. */
    private static final int FRACTION_BITS = 22;

    private final double support;

    Resize(double support) {
        this.support = support;
    }

    /** @param x the distance from the middle, from 0 */
    abstract double weight(double x);

    public RgbPixels of(RgbPixels image, int width, int height) {
        RgbPixels wide = width == image.width() ? image : rows(image, width);
        return height == image.height() ? wide : columns(wide, height);
    }

    /** What one new sample is made of: the first old sample, and the weights of it and those that follow. */
    private static final class Mix {
        private final int first;
        private final int[] weights;

        Mix(int first, int[] weights) {
            this.first = first;
            this.weights = weights;
        }
    }

    private Mix[] mixes(int from, int to) {
        double scale = (double) from / to;
        double widened = Math.max(scale, 1.0);
        double reach = support * widened;
        Mix[] mixes = new Mix[to];
        for (int i = 0; i < to; i++) {
            double center = (i + 0.5) * scale;
            int first = Math.max(0, (int) (center - reach + 0.5));
            int end = Math.min(from, (int) (center + reach + 0.5));
            double[] shares = new double[end - first];
            double sum = 0;
            for (int j = 0; j < shares.length; j++) {
                shares[j] = weight(Math.abs((j + first - center + 0.5) / widened));
                sum += shares[j];
            }
            int[] weights = new int[shares.length];
            for (int j = 0; j < shares.length; j++) {
                double share = shares[j] / sum * (1 << FRACTION_BITS);
                weights[j] = (int) (share < 0 ? share - 0.5 : share + 0.5);
            }
            mixes[i] = new Mix(first, weights);
        }
        return mixes;
    }

    private RgbPixels rows(RgbPixels image, int width) {
        Mix[] mixes = mixes(image.width(), width);
        byte[] out = new byte[width * image.height() * 3];
        for (int y = 0; y < image.height(); y++) {
            for (int x = 0; x < width; x++) {
                mix(image.bytes(), (y * image.width() + mixes[x].first) * 3, 3, mixes[x], out, (y * width + x) * 3);
            }
        }
        return new RgbPixels(width, image.height(), out);
    }

    private RgbPixels columns(RgbPixels image, int height) {
        Mix[] mixes = mixes(image.height(), height);
        int stride = image.width() * 3;
        byte[] out = new byte[stride * height];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < image.width(); x++) {
                mix(image.bytes(), mixes[y].first * stride + x * 3, stride, mixes[y], out, y * stride + x * 3);
            }
        }
        return new RgbPixels(image.width(), height, out);
    }

    private static void mix(byte[] in, int from, int step, Mix mix, byte[] out, int to) {
        for (int channel = 0; channel < 3; channel++) {
            int sum = 1 << (FRACTION_BITS - 1);
            int at = from + channel;
            for (int weight : mix.weights) {
                sum += (in[at] & 0xFF) * weight;
                at += step;
            }
            out[to + channel] = (byte) Math.max(0, Math.min(255, sum >> FRACTION_BITS));
        }
    }
}
