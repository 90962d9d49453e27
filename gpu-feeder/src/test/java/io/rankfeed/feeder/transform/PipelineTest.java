package io.rankfeed.feeder.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.transform.step.CenterCrop;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.Flip;
import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.Interpolation;
import io.rankfeed.feeder.transform.step.Pad;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.RandomCrop;
import io.rankfeed.feeder.transform.step.Resize;
import io.rankfeed.feeder.transform.step.Step;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.ColumnStatistics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PipelineTest {
    private static final Field FILES = new Field("image", DType.BINARY, Shape.scalar(), false);
    private static final Field PIXELS = new Field("image", DType.UINT8, Shape.of(50, 60, 3), false);
    private static final Step DECODE = new Decode(Decode.Mode.EXACT, Decode.Orientation.IGNORE, false);
    private static final Step FLIP = new Flip(0.5, Flip.Axis.HORIZONTAL);

    @Test
    void shapes_followTheSteps() {
        assertThat(bound(FILES, DECODE, exact(20, 30), FLIP).shape()).isEqualTo(new ImageShape(20, 30));
        assertThat(bound(FILES, DECODE, new CenterCrop(7, 8)).shape()).isEqualTo(new ImageShape(7, 8));
        assertThat(bound(PIXELS).shape()).isEqualTo(new ImageShape(50, 60));
        assertThat(bound(PIXELS, shorter(25)).shape()).isEqualTo(new ImageShape(25, 30));
        assertThat(bound(PIXELS, new Pad(55, 10, List.of(0, 0, 0))).shape()).isEqualTo(new ImageShape(55, 60));
        assertThat(bound(PIXELS, new RandomCrop(50, 60)).shape()).isEqualTo(new ImageShape(50, 60));
    }

    @Test
    void steps_notFitting_areRefusedWithIndex() {
        assertThatThrownBy(() -> bound(FILES, FLIP)).hasMessageContaining("the first step must be decode");
        assertThatThrownBy(() -> bound(FILES)).hasMessageContaining("the first step must be decode");
        assertThatThrownBy(() -> bound(FILES, DECODE, DECODE)).hasMessageContaining("steps[1]: decode is the first");
        assertThatThrownBy(() -> bound(PIXELS, DECODE)).hasMessageContaining("remove decode");
        assertThatThrownBy(() -> bound(FILES, DECODE, FLIP)).hasMessageContaining("different sizes");
        assertThatThrownBy(() -> bound(FILES, DECODE, shorter(224))).hasMessageContaining("different sizes");
        assertThatThrownBy(() -> bound(PIXELS, FLIP, new RandomCrop(51, 60)))
                .isInstanceOf(ConfigException.class)
                .hasMessage("column 'x', steps[1]: random-crop needs images of at least 51 × 60, and these are"
                        + " [50, 60, 3]; add resize: or pad: before it");
        Field gray = new Field("image", DType.UINT8, Shape.of(50, 60), false);
        assertThatThrownBy(() -> bound(gray, FLIP)).hasMessageContaining("image steps need files (binary) or pixels");
        Field floats = new Field("image", DType.FLOAT32, Shape.of(50, 60, 3), false);
        assertThatThrownBy(() -> bound(floats, FLIP)).hasMessageContaining("image steps need files (binary) or pixels");
    }

    @Test
    void canonical_changedPipeline_differs() {
        String text = bound(PIXELS, FLIP).canonical();
        assertThat(bound(PIXELS, FLIP).canonical()).isEqualTo(text).contains("{\"flip\":{");
        assertThat(bound(PIXELS, new Flip(0.4, Flip.Axis.HORIZONTAL)).canonical())
                .isNotEqualTo(text);
        assertThat(bound(PIXELS, FLIP, FLIP).canonical()).isNotEqualTo(text);
        assertThat(pipeline(FLIP).bound("x", PIXELS, 4, Optional.empty()).canonical())
                .isNotEqualTo(text);
    }

    @Test
    void normalization_withoutMean_usesVersionStatistics() {
        Normalization measured = new Normalization(
                Optional.of(Normalization.From.VERSION),
                Optional.empty(),
                Optional.empty(),
                Normalization.Type.FLOAT32,
                true);
        Pipeline pipeline = new Pipeline(
                "image", List.of(), PixelLayout.NHWC, OnBroken.FAIL, Optional.empty(), Optional.of(measured));
        ColumnStatistics statistics = new ColumnStatistics(
                9,
                0,
                OptionalDouble.of(0),
                OptionalDouble.of(255),
                OptionalDouble.of(51),
                OptionalDouble.of(102),
                OptionalDouble.of(1),
                true);
        Normalization found = pipeline.bound("x", PIXELS, 0, Optional.of(statistics))
                .normalize()
                .orElseThrow();
        assertThat(found.mean()).contains(List.of(0.2, 0.2, 0.2));
        assertThat(found.std()).contains(List.of(0.4, 0.4, 0.4));
        assertThatThrownBy(() -> pipeline.bound("x", PIXELS, 0, Optional.empty()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no statistics of 'image'");
    }

    private static BoundPipeline bound(Field field, Step... steps) {
        return pipeline(steps).bound("x", field, 3, Optional.empty());
    }

    private static Pipeline pipeline(Step... steps) {
        return new Pipeline(
                "image", List.of(steps), PixelLayout.NHWC, OnBroken.FAIL, Optional.empty(), Optional.empty());
    }

    private static Step exact(int height, int width) {
        return new Resize(
                Optional.empty(),
                Optional.of(height),
                Optional.of(width),
                Interpolation.BILINEAR,
                Resize.Filter.OPENCV);
    }

    private static Step shorter(int side) {
        return new Resize(
                Optional.of(side), Optional.empty(), Optional.empty(), Interpolation.AREA, Resize.Filter.OPENCV);
    }
}
