package io.rankfeed.feeder.transform.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares the distributions of the parameters that steps draw with their definitions. */
class StepDistributionTest {
    private static final int ROWS = 20_000;
    /** Critical value of the Kolmogorov-Smirnov distance at 1e-6, times the root of the number of values. */
    private static final double KS = 2.7;

    @Test
    void randomCrop_offsets_areUniform() throws Exception {
        RecordingCanvas canvas = rows(new RandomCrop(20, 30), 50, 35);
        Map<List<Double>, Integer> corners = new HashMap<>();
        for (double[] crop : canvas.crops) {
            corners.merge(List.of(crop[0], crop[1]), 1, Integer::sum);
        }
        assertThat(corners).hasSize(6 * 31);
        double expected = (double) ROWS / (6 * 31);
        double chiSquare = corners.values().stream()
                .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum();
        // 185 degrees of freedom: 5 standard deviations above the mean.
        assertThat(chiSquare).isLessThan(185 + 5 * Math.sqrt(2 * 185));
    }

    @Test
    void randomCrop_wholeSize_isWholeImage() throws Exception {
        RecordingCanvas canvas = rows(new RandomCrop(20, 30), 20, 30);
        assertThat(canvas.crops).allSatisfy(crop -> assertThat(crop).startsWith(0, 0, 30, 20));
    }

    @Test
    void randomResizedCrop_areaAndRatio_areUniform() throws Exception {
        RandomResizedCrop step =
                new RandomResizedCrop(32, 32, List.of(0.1, 0.5), List.of(0.75, 4.0 / 3), Interpolation.BILINEAR);
        // So large that every attempt fits, and rounding to pixels is small.
        RecordingCanvas canvas = rows(step, 4000, 4000);
        assertThat(canvas.crops).hasSize(ROWS);
        assertUniform(i -> canvas.crops.get(i)[2] * canvas.crops.get(i)[3] / 16e6, 0.1, 0.5);
        assertUniform(
                i -> Math.log(canvas.crops.get(i)[2] / canvas.crops.get(i)[3]), Math.log(0.75), Math.log(4.0 / 3));
        assertUniform(i -> canvas.crops.get(i)[0] / (4000 - canvas.crops.get(i)[2]), 0, 1);
        assertUniform(i -> canvas.crops.get(i)[1] / (4000 - canvas.crops.get(i)[3]), 0, 1);
    }

    /** No rectangle of these ratios has the whole area, so all attempts fail. */
    @Test
    void randomResizedCrop_notFitting_isInTheMiddle() throws Exception {
        RandomResizedCrop step = new RandomResizedCrop(8, 8, List.of(1.0, 1.0), List.of(0.5, 0.5), Interpolation.AREA);
        RecordingCanvas canvas = rows(step, 100, 100);
        assertThat(canvas.crops).allSatisfy(crop -> assertThat(crop).startsWith(25, 0, 50, 100));
    }

    @Test
    void flip_happensWithItsProbability() throws Exception {
        for (double p : new double[] {0, 0.25, 0.5, 1}) {
            RecordingCanvas canvas = rows(new Flip(p, Flip.Axis.VERTICAL), 8, 8);
            assertRate(canvas.names.size(), p);
            assertThat(canvas.names).allMatch("flipVertically"::equals);
        }
    }

    @Test
    void shiftScaleRotate_isUniformInItsLimits() throws Exception {
        RecordingCanvas canvas = rows(moved(0.1, 0.2, 30, 0.5), 41, 81);
        List<double[]> warps = canvas.warps;
        assertRate(warps.size(), 0.5);
        int n = warps.size();
        assertUniform(n, i -> Math.toDegrees(Math.atan2(warps.get(i)[1], warps.get(i)[0])), -30, 30);
        assertUniform(n, i -> Math.hypot(warps.get(i)[0], warps.get(i)[1]), 0.8, 1.2);
        // Where the middle of the image goes.
        assertUniform(n, i -> warps.get(i)[0] * 40 + warps.get(i)[1] * 20 + warps.get(i)[2] - 40, -8.1, 8.1);
        assertUniform(n, i -> warps.get(i)[3] * 40 + warps.get(i)[4] * 20 + warps.get(i)[5] - 20, -4.1, 4.1);
    }

    @Test
    void brightnessContrast_isUniformInItsLimits() throws Exception {
        RecordingCanvas canvas = rows(new BrightnessContrast(0.2, 0.3, 1), 8, 8);
        assertThat(canvas.scalings).hasSize(ROWS);
        assertUniform(i -> canvas.scalings.get(i)[0], 0.7, 1.3);
        assertUniform(i -> canvas.scalings.get(i)[1], -51, 51);
    }

    @Test
    void colorJitter_orders_areUniform() throws Exception {
        RecordingCanvas canvas = rows(new ColorJitter(0.2, 0.2, 0.2, 0.1, 1), 8, 8);
        // Contrast is the scaling that asks for the mean first.
        String text = String.join(" ", canvas.names).replace("meanGray scaleAndAdd", "contrast");
        String[] words = text.split(" ");
        assertThat(words).hasSize(4 * ROWS);
        Map<String, Integer> orders = new HashMap<>();
        for (int row = 0; row < ROWS; row++) {
            String order = String.join(" ", Arrays.copyOfRange(words, 4 * row, 4 * row + 4));
            assertThat(order.split(" ")).doesNotHaveDuplicates();
            orders.merge(order, 1, Integer::sum);
        }
        assertThat(orders).hasSize(24);
        double deviation = Math.sqrt(ROWS / 24.0);
        assertThat(orders.values())
                .allSatisfy(count -> assertThat(Math.abs(count - ROWS / 24.0)).isLessThan(5 * deviation));
    }

    /** A step of another index, row or cycle has other numbers; the same one has the same. */
    @Test
    void numbers_dependOnRowCycleAndStep() {
        RowRandom random = new RowRandom();
        double first = first(random, 1, 2, 3, 4);
        assertThat(first(random, 1, 2, 3, 4)).isEqualTo(first);
        assertThat(List.of(
                        first(random, 2, 2, 3, 4),
                        first(random, 1, 3, 3, 4),
                        first(random, 1, 2, 4, 4),
                        first(random, 1, 2, 3, 5)))
                .doesNotContain(first)
                .doesNotHaveDuplicates();
    }

    private static double first(RowRandom random, long seed, long rowId, long cycle, int step) {
        random.row(seed, rowId, cycle);
        random.step(step);
        return random.uniform();
    }

    private static RecordingCanvas rows(Step step, int height, int width) throws RejectedImageException {
        RecordingCanvas canvas = new RecordingCanvas();
        RowRandom random = new RowRandom();
        for (int row = 0; row < ROWS; row++) {
            random.row(11, row, 0);
            random.step(1);
            canvas.size(height, width);
            if (step.happens(random)) {
                step.apply(canvas, random);
            }
        }
        return canvas;
    }

    private static Step moved(double shift, double scale, double rotate, double p) {
        return new ShiftScaleRotate(shift, scale, rotate, p, Interpolation.BILINEAR, Border.CONSTANT, List.of(0, 0, 0));
    }

    private static void assertRate(int happened, double p) {
        assertThat((double) happened).isBetween(ROWS * p - 5 * deviation(p), ROWS * p + 5 * deviation(p));
    }

    private static double deviation(double p) {
        return Math.sqrt(ROWS * p * (1 - p));
    }

    private static void assertUniform(IntToDoubleFunction value, double from, double to) {
        assertUniform(ROWS, value, from, to);
    }

    private static void assertUniform(int n, IntToDoubleFunction value, double from, double to) {
        double[] shares = IntStream.range(0, n)
                .mapToDouble(value)
                .map(x -> (x - from) / (to - from))
                .sorted()
                .toArray();
        double distance = 0;
        for (int i = 0; i < n; i++) {
            distance = Math.max(distance, Math.max(shares[i] - (double) i / n, (i + 1.0) / n - shares[i]));
        }
        assertThat(distance * Math.sqrt(n)).isLessThan(KS);
    }
}
