package io.rankfeed.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.transform.BoundPipeline;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.feeder.transform.ImageWorker;
import io.rankfeed.feeder.transform.ImageWorkers;
import io.rankfeed.feeder.transform.OnBroken;
import io.rankfeed.feeder.transform.Pipeline;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.Interpolation;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.feeder.transform.step.Resize;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Decodes files with changed bytes and of any length: the result is an image or a rejection, never the end of the
 * process.
 */
class BrokenFilesPropertyTest {
    private static final int FILES = 40;
    private static final int FILES_NIGHTLY = 1_500;
    private static final long SEED = Seed.of(BrokenFilesPropertyTest.class);

    static List<Path> goldenFiles() throws IOException {
        try (var files = Files.list(Path.of("../../schema/image/src/test/resources/images"))) {
            return files.filter(file -> !file.toString().endsWith(".rgb"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void brokenFile_few_isImageOrRejected(Path path) throws IOException {
        check(path, FILES);
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    @Tag("nightly")
    void brokenFile_many_isImageOrRejected(Path path) throws IOException {
        check(path, FILES_NIGHTLY);
    }

    private static void check(Path path, int files) throws IOException {
        byte[] file = Files.readAllBytes(path);
        Random random = new Random(SEED);
        Resize resize =
                new Resize(Optional.empty(), Optional.of(8), Optional.of(9), Interpolation.AREA, Resize.Filter.OPENCV);
        int images = 0;
        try (ImageWorkers workers =
                new ImageWorkers(new OpenCvCanvasMaker(), new DecodeBudget(DecodeBudget.DEFAULT_BYTES))) {
            ImageWorker worker = workers.take();
            for (int i = 0; i < files; i++) {
                byte[] changed = i == 0 || random.nextInt(4) > 0
                        ? file.clone()
                        : Arrays.copyOf(file, random.nextInt(file.length));
                for (int j = i == 0 ? 0 : random.nextInt(6); j > 0 && changed.length > 0; j--) {
                    int within = random.nextBoolean() ? changed.length : Math.min(changed.length, 120);
                    changed[random.nextInt(within)] = (byte) random.nextInt(256);
                }
                Decode decode = new Decode(
                        random.nextBoolean() ? Decode.Mode.EXACT : Decode.Mode.FAST,
                        random.nextBoolean() ? Decode.Orientation.APPLY : Decode.Orientation.IGNORE,
                        random.nextBoolean());
                images += made(worker, bound(decode, resize), changed) ? 1 : 0;
            }
            workers.giveBack(worker);
        }
        assertThat(images)
                .as("%s, seed %d: the first file is unchanged", path.getFileName(), SEED)
                .isPositive();
    }

    private static BoundPipeline bound(Decode decode, Resize resize) {
        Pipeline pipeline = new Pipeline(
                "image", List.of(decode, resize), PixelLayout.NCHW, OnBroken.ZEROS, Optional.empty(), Optional.empty());
        return pipeline.bound("x", new Field("image", DType.BINARY, Shape.scalar(), false), 0, Optional.empty());
    }

    /** Whether an image was made; a rejection states its reason. */
    private static boolean made(ImageWorker worker, BoundPipeline bound, byte[] file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(file.length + 1L);
            MemorySegment.copy(file, 0, memory, ValueLayout.JAVA_BYTE, 1, file.length);
            MemorySegment slot = arena.allocate(bound.rowBytes() + 2L);
            slot.fill((byte) 0x5A);
            worker.begin(bound, 1, 0);
            worker.file(bound, memory, 1, file.length, slot, 1);
            assertThat(slot.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 0x5A);
            assertThat(slot.get(ValueLayout.JAVA_BYTE, slot.byteSize() - 1)).isEqualTo((byte) 0x5A);
            return true;
        } catch (RejectedImageException rejected) {
            assertThat(rejected.getMessage()).matches("(?s)(is|has) .*");
            return false;
        }
    }
}
