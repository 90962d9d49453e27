package io.rankfeed.feeder.transform.step;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.feeder.transform.CanvasMaker;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the operations of steps with given arguments with cv2, Pillow and albumentations
 * (src/test/python/steps_golden.py).
 */
class StepsGoldenTest {
    private static final Path GOLDEN = Path.of("src/test/resources/steps");
    private static final int HEIGHT = 48;
    private static final int WIDTH = 64;
    private static final ShiftScaleRotate MOVING =
            new ShiftScaleRotate(0, 0, 0, 1, Interpolation.BILINEAR, Border.CONSTANT, List.of(0, 0, 0));

    static Stream<JsonNode> cases() throws IOException {
        JsonNode all = new ObjectMapper().readTree(GOLDEN.resolve("cases.json").toFile());
        return StreamSupport.stream(all.spliterator(), false);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void step_goldenCase_equalsReferenceLibrary(JsonNode wanted) throws IOException {
        for (PixelLayout layout : PixelLayout.values()) {
            byte[] expected =
                    Files.readAllBytes(GOLDEN.resolve(wanted.get("file").asText()));
            byte[] actual = run(wanted, layout);
            assertThat(actual).hasSameSizeAs(expected);
            int pixels = expected.length / 3;
            int within = 0;
            for (int i = 0; i < expected.length; i++) {
                int at = layout == PixelLayout.NHWC ? i : i % 3 * pixels + i / 3;
                int difference = Math.abs((actual[at] & 0xFF) - (expected[i] & 0xFF));
                within += difference <= wanted.get("levels").asInt() ? 1 : 0;
            }
            assertThat((double) within / expected.length)
                    .as(
                            "share of samples within %d levels, %s",
                            wanted.get("levels").asInt(), layout)
                    .isGreaterThanOrEqualTo(wanted.get("share").asDouble());
        }
    }

    private static byte[] run(JsonNode wanted, PixelLayout layout) throws IOException {
        byte[] source = Files.readAllBytes(GOLDEN.resolve("source.rgb"));
        ImageShape shape = new ImageShape(
                wanted.get("outHeight").asInt(), wanted.get("outWidth").asInt());
        try (Arena arena = Arena.ofShared();
                Canvas canvas = CanvasMaker.find().make()) {
            MemorySegment memory = arena.allocate(source.length);
            MemorySegment.copy(source, 0, memory, ValueLayout.JAVA_BYTE, 0, source.length);
            MemorySegment slot = arena.allocate(3L * shape.height() * shape.width());
            canvas.view(memory, 0, HEIGHT, WIDTH);
            apply(canvas, wanted);
            canvas.write(slot, 0, shape, layout);
            assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(source);
            return slot.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static void apply(Canvas canvas, JsonNode c) {
        switch (c.get("step").asText()) {
            case "resize" -> canvas.resize(integer(c, "width"), integer(c, "height"), interpolation(c));
            case "resize-pillow" -> canvas.resizeAsPillow(integer(c, "width"), integer(c, "height"), interpolation(c));
            case "flip" -> {
                if (c.get("axis").asText().equals("horizontal")) {
                    canvas.flipHorizontally();
                } else {
                    canvas.flipVertically();
                }
            }
            case "crop" -> crop(canvas, c);
            case "crop-resize" -> {
                crop(canvas, c);
                canvas.resize(integer(c, "newWidth"), integer(c, "newHeight"), interpolation(c));
            }
            case "crop-pad" -> {
                crop(canvas, c);
                JsonNode value = c.get("value");
                canvas.pad(
                        integer(c, "top"),
                        integer(c, "bottom"),
                        integer(c, "left"),
                        integer(c, "right"),
                        value.get(0).asInt(),
                        value.get(1).asInt(),
                        value.get(2).asInt());
            }
            case "shift-scale-rotate" ->
                MOVING.move(canvas, number(c, "degrees"), number(c, "factor"), number(c, "right"), number(c, "down"));
            case "brightness-contrast" -> canvas.scaleAndAdd(1 + number(c, "contrast"), 255 * number(c, "brightness"));
            case "jitter-brightness" -> ColorJitter.changeBrightness(canvas, number(c, "factor"));
            case "jitter-contrast" -> ColorJitter.changeContrast(canvas, number(c, "factor"));
            case "jitter-saturation" -> ColorJitter.changeSaturation(canvas, number(c, "factor"));
            case "jitter-hue" -> ColorJitter.changeHue(canvas, number(c, "fraction"));
            default -> throw new IllegalArgumentException(c.toString());
        }
    }

    private static void crop(Canvas canvas, JsonNode c) {
        canvas.crop(integer(c, "x"), integer(c, "y"), integer(c, "width"), integer(c, "height"));
    }

    private static Interpolation interpolation(JsonNode c) {
        return Interpolation.valueOf(c.get("interpolation").asText().toUpperCase(Locale.ROOT));
    }

    private static int integer(JsonNode c, String name) {
        return c.get(name).asInt();
    }

    private static double number(JsonNode c, String name) {
        return c.get(name).asDouble();
    }
}
