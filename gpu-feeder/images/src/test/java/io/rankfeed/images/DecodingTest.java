package io.rankfeed.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.transform.BoundPipeline;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.feeder.transform.ImageWorker;
import io.rankfeed.feeder.transform.ImageWorkers;
import io.rankfeed.feeder.transform.OnBroken;
import io.rankfeed.feeder.transform.Pipeline;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.Interpolation;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.Resize;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.image.Decoding;
import io.rankfeed.schema.image.ImageBytes;
import io.rankfeed.schema.image.ImageFile;
import io.rankfeed.schema.image.ImageHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares OpenCV with the decoding contract: the files and pixels of schema/image/src/test/python/images_golden.py. */
class DecodingTest {
    private static final Path GOLDEN = Path.of("../../schema/image/src/test/resources/images");

    static Stream<String> goldenFiles() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".rgb"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void decode_pixels_differByAtMostOneLevel(String name) throws Exception {
        byte[] file = Files.readAllBytes(GOLDEN.resolve(name));
        byte[] expected = Files.readAllBytes(GOLDEN.resolve(name + ".rgb"));
        ImageShape shape = name.matches("orientation-[5-8].jpg") ? new ImageShape(37, 23) : new ImageShape(23, 37);
        byte[] actual = decoded(file, shape, name.matches("orientation-..jpg"));
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat((actual[i] & 0xFF) - (expected[i] & 0xFF))
                    .as("sample %d", i)
                    .isBetween(-1, 1);
        }
    }

    /** Its EXIF data is behind the pixels, which the decoder does not see. */
    @Test
    void webp_orientation_isApplied() throws Exception {
        byte[] file = Files.readAllBytes(GOLDEN.resolve("alpha-orientation-6.webp"));
        byte[] stored = Files.readAllBytes(GOLDEN.resolve("alpha-orientation-6.webp.rgb"));
        int at = new String(file, StandardCharsets.ISO_8859_1).lastIndexOf("\u0001\u0012\u0000\u0003") + 9;
        for (int orientation = 1; orientation <= 8; orientation++) {
            assertThat(file[at]).isBetween((byte) 1, (byte) 8);
            file[at] = (byte) orientation;
            boolean isTurned = orientation >= 5;
            int width = isTurned ? 23 : 37;
            byte[] actual = decoded(file, new ImageShape(stored.length / 3 / width, width), true);
            for (int i = 0; i < stored.length; i++) {
                int x = i / 3 % width;
                int y = i / 3 / width;
                int down = isTurned ? x : y;
                int right = isTurned ? y : x;
                down = List.of(3, 4, 6, 7).contains(orientation) ? 22 - down : down;
                right = List.of(2, 3, 7, 8).contains(orientation) ? 36 - right : right;
                assertThat((actual[i] & 0xFF) - (stored[(down * 37 + right) * 3 + i % 3] & 0xFF))
                        .as("orientation %d, sample %d", orientation, i)
                        .isBetween(-1, 1);
            }
        }
    }

    /** Most samples differ by at most one level: both decoders decode up to the end of the file, and give gray after it. */
    @ParameterizedTest
    @ValueSource(strings = {"ycc-444.jpg", "ycc-420.jpg", "gray.jpg", "orientation-1.jpg"})
    void jpeg_truncated_isDecodedUpToItsEnd(String name) throws Exception {
        byte[] file = Files.readAllBytes(GOLDEN.resolve(name));
        byte[] cut = Arrays.copyOf(file, file.length - (file.length - 600) / 3);
        byte[] actual = decoded(cut, new ImageShape(23, 37), false);
        byte[] expected;
        try (ImageFile image = ImageFile.open(cut)) {
            expected = image.rgb(new Decoding(false, true)).bytes();
        }
        int within = 0;
        for (int i = 0; i < expected.length; i++) {
            within += Math.abs((actual[i] & 0xFF) - (expected[i] & 0xFF)) <= 1 ? 1 : 0;
        }
        assertThat((double) within / expected.length).isGreaterThan(0.8);
    }

    /** 23 and 37 pixels can be halved for 11 and 18, not for 12; sides are rounded up. Other formats are not reduced. */
    @ParameterizedTest
    @ValueSource(
            strings = {"ycc-444.jpg", "progressive.jpg", "gray.jpg", "rgba.png", "lossy.webp", "rgb.bmp", "rgb.tiff"})
    void decode_fast_isCloseToExact(String name) throws Exception {
        byte[] file = Files.readAllBytes(GOLDEN.resolve(name));
        for (int[] size : new int[][] {{11, 18}, {12, 18}, {23, 37}}) {
            byte[] exact = resized(file, Decode.Mode.EXACT, size[0], size[1]);
            byte[] fast = resized(file, Decode.Mode.FAST, size[0], size[1]);
            double sum = 0;
            for (int i = 0; i < exact.length; i++) {
                sum += Math.abs((exact[i] & 0xFF) - (fast[i] & 0xFF));
            }
            boolean isReduced = name.endsWith(".jpg") && size[0] == 11;
            assertThat(sum / exact.length)
                    .as("mean difference at %s", Arrays.toString(size))
                    .isBetween(isReduced ? 0.1 : 0, isReduced ? 12.0 : 0);
        }
    }

    private static byte[] resized(byte[] file, Decode.Mode mode, int height, int width) throws Exception {
        Pipeline pipeline = new Pipeline(
                "image",
                List.of(
                        new Decode(mode, Decode.Orientation.IGNORE, false),
                        new Resize(
                                Optional.empty(),
                                Optional.of(height),
                                Optional.of(width),
                                Interpolation.AREA,
                                Resize.Filter.OPENCV)),
                PixelLayout.NHWC,
                OnBroken.FAIL,
                Optional.empty(),
                Optional.empty());
        BoundPipeline bound =
                pipeline.bound("x", new Field("image", DType.BINARY, Shape.scalar(), false), 0, Optional.empty());
        try (Arena arena = Arena.ofShared();
                ImageWorkers workers =
                        new ImageWorkers(new OpenCvCanvasMaker(), new DecodeBudget(DecodeBudget.DEFAULT_BYTES))) {
            MemorySegment memory = arena.allocate(file.length);
            MemorySegment.copy(file, 0, memory, ValueLayout.JAVA_BYTE, 0, file.length);
            MemorySegment slot = arena.allocate(bound.rowBytes());
            ImageWorker worker = workers.take();
            worker.begin(bound, 0, 0);
            worker.file(bound, memory, 0, file.length, slot, 0);
            workers.giveBack(worker);
            return slot.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static byte[] decoded(byte[] file, ImageShape shape, boolean applies) throws Exception {
        try (Arena arena = Arena.ofShared();
                OpenCvCanvas canvas = (OpenCvCanvas) new OpenCvCanvasMaker().make()) {
            MemorySegment memory = arena.allocate(file.length);
            MemorySegment.copy(file, 0, memory, ValueLayout.JAVA_BYTE, 0, file.length);
            MemorySegment slot = arena.allocate(3L * shape.height() * shape.width());
            ImageHeader header = new ImageHeader();
            header.read(ImageBytes.of(file));
            Decode.Orientation orientation = applies ? Decode.Orientation.APPLY : Decode.Orientation.IGNORE;
            canvas.decode(memory, 0, file.length, header, 1, new Decode(Decode.Mode.EXACT, orientation, false));
            canvas.write(slot, 0, shape, PixelLayout.NHWC);
            return slot.toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
