package io.rankfeed.feeder.transform.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizesTest {
    private static final RowRandom NONE = new RowRandom();

    @ParameterizedTest
    @CsvSource({
        "448, 448, 2",
        "447, 448, 1",
        "448, 447, 1",
        "895, 900, 2",
        "896, 896, 4",
        "1791, 5000, 4",
        "1792, 1792, 8",
        "9999, 9999, 8",
        "224, 224, 1",
        "1, 1, 1"
    })
    void reduction_isLargestWithoutEnlarging(int width, int height, int reduction) {
        assertThat(Sizes.reduction(width, height, 224, 224)).isEqualTo(reduction);
        Resize resize = new Resize(
                Optional.empty(), Optional.of(224), Optional.of(224), Interpolation.AREA, Resize.Filter.OPENCV);
        assertThat(resize.reduction(width, height, NONE)).isEqualTo(reduction);
    }

    @ParameterizedTest
    @CsvSource({
        "100, 50, 500, 250",
        "50, 100, 250, 500",
        "333, 100, 832, 250",
        "250, 250, 250, 250",
        "1, 65, 250, 16250"
    })
    void shorterSide_longerSide_isRoundedDown(int width, int height, int newWidth, int newHeight)
            throws RejectedImageException {
        Resize resize = new Resize(
                Optional.of(250), Optional.empty(), Optional.empty(), Interpolation.AREA, Resize.Filter.OPENCV);
        RecordingCanvas canvas = new RecordingCanvas().size(height, width);
        resize.apply(canvas, NONE);
        assertThat(List.of(canvas.width(), canvas.height())).containsExactly(newWidth, newHeight);
    }

    @Test
    void reduction_magnifyingStep_isOne() {
        assertThat(new RandomCrop(10, 10).reduction(10_000, 10_000, NONE)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"10, 10, 12, 13, 1 1 1 2", "12, 13, 12, 13, ''", "13, 10, 12, 13, 0 0 1 2", "11, 20, 12, 13, 0 1 0 0"})
    void pad_oddPixel_goesToLowerRight(int height, int width, int minHeight, int minWidth, String borders) {
        RecordingCanvas canvas = new RecordingCanvas().size(height, width);
        new Pad(minHeight, minWidth, List.of(0, 0, 0)).apply(canvas, NONE);
        assertThat(canvas.names).containsExactlyElementsOf(borders.isEmpty() ? List.of() : List.of("pad " + borders));
    }
}
