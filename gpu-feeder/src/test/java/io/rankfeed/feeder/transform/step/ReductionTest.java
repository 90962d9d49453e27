package io.rankfeed.feeder.transform.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares steps on images that were decoded at a fraction of their size with the same steps on whole images. */
class ReductionTest {
    private static final int DRAWS = 20_000;

    private final Random sizes = new Random(29);
    private final RowRandom random = new RowRandom();

    @Test
    void crop_reduced_isEnlargedOnlyIfWholeIs() throws Exception {
        int reduced = 0;
        for (int row = 0; row < DRAWS; row++) {
            int height = 1 + sizes.nextInt(900);
            int width = 1 + sizes.nextInt(900);
            double min = 0.01 + 0.9 * sizes.nextDouble();
            RandomResizedCrop step = new RandomResizedCrop(
                    1 + sizes.nextInt(200),
                    1 + sizes.nextInt(200),
                    List.of(min, 1.0),
                    List.of(0.3, 2.0),
                    Interpolation.BILINEAR);
            double[] whole = crop(step, row, height, width, 1);
            int by = reduction(step, row, height, width);
            double[] part = crop(step, row, height, width, by);
            reduced += by > 1 ? 1 : 0;
            String what = height + " × " + width + " at 1/" + by + ", " + step;
            assertThat(part[2] < step.width()).as(what).isEqualTo(whole[2] < step.width());
            assertThat(part[3] < step.height()).as(what).isEqualTo(whole[3] < step.height());
            // The same rectangle, but for the rounding of its four edges.
            for (int side = 0; side < 2; side++) {
                assertThat(Math.abs(by * part[side] - whole[side])).as(what).isLessThanOrEqualTo(by / 2.0);
                double end = by * (part[side] + part[side + 2]);
                assertThat(Math.abs(end - whole[side] - whole[side + 2]))
                        .as(what)
                        .isLessThanOrEqualTo(by / 2.0);
            }
            boolean isReducible = whole[2] >= 2 * step.width() && whole[3] >= 2 * step.height();
            assertThat(by > 1).as(what).isEqualTo(isReducible);
        }
        assertThat(reduced).isGreaterThan(DRAWS / 10);
    }

    @Test
    void shorterSide_reduced_hasSizeOfWhole() throws Exception {
        int reduced = 0;
        for (int row = 0; row < DRAWS; row++) {
            int height = 20 + sizes.nextInt(900);
            int width = 20 + sizes.nextInt(900);
            Resize step = new Resize(
                    Optional.of(1 + sizes.nextInt(200)),
                    Optional.empty(),
                    Optional.empty(),
                    Interpolation.BILINEAR,
                    Resize.Filter.OPENCV);
            int by = reduction(step, row, height, width);
            RecordingCanvas whole = new RecordingCanvas().size(height, width);
            step.apply(whole, random);
            RecordingCanvas part = apply(step, row, height, width, by);
            assertThat(List.of(part.height(), part.width())).isEqualTo(List.of(whole.height(), whole.width()));
            reduced += by > 1 ? 1 : 0;
        }
        assertThat(reduced).isGreaterThan(DRAWS / 10);
    }

    private int reduction(Step step, int row, int height, int width) {
        random.row(3, row, 0);
        random.step(1);
        return step.reduction(width, height, random);
    }

    private double[] crop(Step step, int row, int height, int width, int by) throws RejectedImageException {
        RecordingCanvas canvas = apply(step, row, height, width, by);
        assertThat(canvas.crops).hasSize(1);
        return canvas.crops.get(0);
    }

    private RecordingCanvas apply(Step step, int row, int height, int width, int by) throws RejectedImageException {
        random.row(3, row, 0);
        random.step(1);
        RecordingCanvas canvas = new RecordingCanvas().size(Math.ceilDiv(height, by), Math.ceilDiv(width, by));
        if (by == 1) {
            step.apply(canvas, random);
        } else {
            step.applyReduced(canvas, width, height, random);
        }
        return canvas;
    }
}
