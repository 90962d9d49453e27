package io.rankfeed.feeder.transform.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ThinCropTest {
    private static final int ROWS = 20_000;

    /**
     * The ratio is impossible for images of these sides: the crop has at least one pixel, and none outside the image.
     */
    @Test
    void randomResizedCrop_thinImage_hasAtLeastOnePixel() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random drawn = new Random(seed);
        RowRandom random = new RowRandom();
        int thin = 0;
        for (int row = 0; row < ROWS; row++) {
            int height = drawn.nextBoolean() ? 1 : 1 + drawn.nextInt(60);
            int width = height > 1 || drawn.nextBoolean() ? 1 : 1 + drawn.nextInt(60);
            double lowest = Math.exp(drawn.nextDouble(-6, 6));
            List<Double> ratio = List.of(lowest, Math.min(1000, lowest * drawn.nextDouble(1, 3)));
            List<Double> scale = List.of(0.001 + 0.9 * drawn.nextDouble(), 1.0);
            RecordingCanvas canvas = new RecordingCanvas().size(height, width);
            random.row(seed, row, 0);
            random.step(1);
            new RandomResizedCrop(8, 8, scale, ratio, Interpolation.AREA).apply(canvas, random);
            double[] crop = canvas.crops.get(0);
            String what = height + " × " + width + ", ratio " + ratio + ", row " + row + " of seed " + seed;
            assertThat(crop[2]).as(what).isBetween(1.0, width - crop[0]);
            assertThat(crop[3]).as(what).isBetween(1.0, height - crop[1]);
            assertThat(Math.min(crop[0], crop[1])).as(what).isNotNegative();
            thin += width > 2 * ratio.get(1) * height || height > 2 * width / lowest ? 1 : 0;
        }
        assertThat(thin).isGreaterThan(ROWS / 10);
    }
}
