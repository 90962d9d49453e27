package io.rankfeed.schema.image;

/**
 * Changes the size of images, three bytes per pixel, by weighted means in whole numbers, along rows and along columns: the same bytes
 * on every machine, and those of the {@code resize} of Pillow 13. Keeps its buffers from one image to the next; not safe for use by
 * several threads.
 */
public final class Resampler {
    private static final int CHANNELS = 3;
    /** Bits after the point of a weight: 32 less the 8 of a sample and 2 for overshoot. */
    private static final int FRACTION_BITS = 22;

    private static final int HALF = 1 << (FRACTION_BITS - 1);

    private int[] first = {};
    private int[] count = {};
    private int[] weights = {};
    private double[] shares = {};
    private byte[] halfway = {};
    /** The maximum number of {@link #weights} of one new sample. */
    private int stride;

    /**
     * @param in height × width × 3 bytes
     * @param out newHeight × newWidth × 3 bytes at least
     */
    public void resize(Resize filter, byte[] in, int width, int height, byte[] out, int newWidth, int newHeight) {
        if (width == newWidth && height == newHeight) {
            System.arraycopy(in, 0, out, 0, height * width * CHANNELS);
        } else if (width == newWidth) {
            alongColumns(filter, in, width, height, out, newHeight);
        } else if (height == newHeight) {
            alongRows(filter, in, width, height, out, newWidth);
        } else if (isColumnsFirst(width, height, newWidth, newHeight)) {
            byte[] low = between(newHeight * width);
            alongColumns(filter, in, width, height, low, newHeight);
            alongRows(filter, low, width, newHeight, out, newWidth);
        } else {
            byte[] narrow = between(height * newWidth);
            alongRows(filter, in, width, height, narrow, newWidth);
            alongColumns(filter, narrow, newWidth, height, out, newHeight);
        }
    }

    /**
     * Whether columns are resampled first. The rule is that of Pillow 13: the image loses over twice as many rows as
     * columns. The order changes samples, because each pass rounds.
     */
    private static boolean isColumnsFirst(int width, int height, int newWidth, int newHeight) {
        return height > newHeight && height - newHeight > 2 * (width - newWidth);
    }

    private byte[] between(int pixels) {
        if (halfway.length < pixels * CHANNELS) {
            halfway = new byte[pixels * CHANNELS];
        }
        return halfway;
    }

    /** Computes, for each new sample, its first old sample, the number of old samples, and their weights. */
    private void weigh(Resize filter, int from, int to) {
        double scale = (double) from / to;
        double widened = Math.max(scale, 1.0);
        // A product instead of quotients, as in Pillow: the last bit of a weight may decide on a sample.
        double narrowing = 1.0 / widened;
        double reach = filter.support() * widened;
        stride = (int) Math.ceil(reach) * 2 + 1;
        if (first.length < to) {
            first = new int[to];
            count = new int[to];
        }
        if (weights.length < stride * to) {
            weights = new int[stride * to];
        }
        if (shares.length < stride) {
            shares = new double[stride];
        }
        for (int i = 0; i < to; i++) {
            double center = (i + 0.5) * scale;
            int begin = Math.max(0, (int) (center - reach + 0.5));
            int end = Math.min(from, (int) (center + reach + 0.5));
            double sum = 0;
            for (int j = 0; j < end - begin; j++) {
                shares[j] = filter.weight(Math.abs((j + begin - center + 0.5) * narrowing));
                sum += shares[j];
            }
            for (int j = 0; j < end - begin; j++) {
                double share = shares[j] / sum * (1 << FRACTION_BITS);
                weights[i * stride + j] = (int) (share < 0 ? share - 0.5 : share + 0.5);
            }
            first[i] = begin;
            count[i] = end - begin;
        }
    }

    private void alongRows(Resize filter, byte[] in, int width, int height, byte[] out, int newWidth) {
        weigh(filter, width, newWidth);
        int to = 0;
        for (int y = 0; y < height; y++) {
            int row = y * width * CHANNELS;
            for (int x = 0; x < newWidth; x++) {
                int red = HALF;
                int green = HALF;
                int blue = HALF;
                int at = row + first[x] * CHANNELS;
                int weight = x * stride;
                for (int end = weight + count[x]; weight < end; weight++) {
                    int share = weights[weight];
                    red += (in[at] & 0xFF) * share;
                    green += (in[at + 1] & 0xFF) * share;
                    blue += (in[at + 2] & 0xFF) * share;
                    at += CHANNELS;
                }
                out[to] = sample(red);
                out[to + 1] = sample(green);
                out[to + 2] = sample(blue);
                to += CHANNELS;
            }
        }
    }

    private void alongColumns(Resize filter, byte[] in, int width, int height, byte[] out, int newHeight) {
        weigh(filter, height, newHeight);
        int rowBytes = width * CHANNELS;
        for (int y = 0; y < newHeight; y++) {
            int begin = first[y] * rowBytes;
            int weight = y * stride;
            int end = weight + count[y];
            for (int x = 0; x < rowBytes; x++) {
                int sum = HALF;
                int at = begin + x;
                for (int w = weight; w < end; w++) {
                    sum += (in[at] & 0xFF) * weights[w];
                    at += rowBytes;
                }
                out[y * rowBytes + x] = sample(sum);
            }
        }
    }

    private static byte sample(int sum) {
        return (byte) Math.max(0, Math.min(255, sum >> FRACTION_BITS));
    }
}
