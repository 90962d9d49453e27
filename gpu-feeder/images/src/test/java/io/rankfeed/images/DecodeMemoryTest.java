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
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures the memory of a process that decodes images of 67 million pixels on eight threads, meanwhile and afterwards.
 */
class DecodeMemoryTest {
    private static final int SIDE = 8192;
    private static final int THREADS = 8;
    private static final long MIB = 1 << 20;
    private static final long DECODED_BYTES = 3L * SIDE * SIDE;

    @TempDir
    private static Path folder;

    private static byte[] large = {};
    private static byte[] small = {};

    @BeforeAll
    static void write() throws IOException {
        large = png(SIDE);
        small = png(64);
        assertThat(large.length).isLessThan(1 << 20);
    }

    private static byte[] png(int side) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(ImageIO.write(new BufferedImage(side, side, BufferedImage.TYPE_BYTE_GRAY), "png", out))
                .isTrue();
        return out.toByteArray();
    }

    @Test
    void decode_budgetOfOneImage_runsOneAtATime() throws Exception {
        Files.write(folder.resolve("large"), large);
        Files.write(folder.resolve("small"), small);
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xms64m",
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:+AlwaysPreTouch",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher numbers =
                Pattern.compile("8 decoded, peak ([0-9]+), kept (-?[0-9]+)\n").matcher(printed);
        assertThat(numbers.matches()).as(printed).isTrue();
        // Not 8 × 192 MiB.
        assertThat(Long.parseLong(numbers.group(1))).isBetween(DECODED_BYTES - 10 * MIB, DECODED_BYTES + 40 * MIB);
        assertThat(Long.parseLong(numbers.group(2))).isLessThan(40 * MIB);
    }

    /**
     * Decodes the large file on all threads and prints the memory that the process used meanwhile and kept, in bytes.
     */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws Exception {
            try (ImageWorkers workers = workers(DECODED_BYTES + 2 * MIB)) {
                decoded(workers, Files.readAllBytes(Path.of(arguments[0], "small")));
                byte[] file = Files.readAllBytes(Path.of(arguments[0], "large"));
                Files.writeString(Path.of("/proc/self/clear_refs"), "5");
                long before = bytes("VmRSS");
                int count = decoded(workers, file);
                long peak = bytes("VmHWM") - before;
                System.out.println(count + " decoded, peak " + peak + ", kept " + (bytes("VmRSS") - before));
            }
        }
    }

    @Test
    void image_aboveBudget_isRefusedWithRemedy() throws Exception {
        try (ImageWorkers workers = workers(40 * MIB)) {
            assertThat(decoded(workers, small)).isEqualTo(THREADS);
            assertThat(decoded(workers, large)).isZero();
            assertThat(refusal(workers, large))
                    .contains("8192 × 8192 pixels", "192.1 MiB", "40.0 MiB are available", "--memory");
        }
    }

    private static ImageWorkers workers(long budgetBytes) {
        return new ImageWorkers(new OpenCvCanvasMaker(), new DecodeBudget(budgetBytes));
    }

    /** Returns the number of threads that decode the image without a rejection. */
    private static int decoded(ImageWorkers workers, byte[] file) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            Callable<String> image = () -> refusal(workers, file);
            int count = 0;
            for (Future<String> done : threads.invokeAll(Collections.nCopies(THREADS, image))) {
                count += done.get().isEmpty() ? 1 : 0;
            }
            return count;
        }
    }

    private static String refusal(ImageWorkers workers, byte[] file) {
        BoundPipeline bound = bound();
        ImageWorker worker = workers.take();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(file.length);
            MemorySegment.copy(file, 0, memory, ValueLayout.JAVA_BYTE, 0, file.length);
            worker.begin(bound, 0, 0);
            worker.file(bound, memory, 0, file.length, arena.allocate(bound.rowBytes()), 0);
            return "";
        } catch (RejectedImageException e) {
            return String.valueOf(e.getMessage());
        } finally {
            workers.giveBack(worker);
        }
    }

    private static BoundPipeline bound() {
        Resize resize = new Resize(
                Optional.empty(), Optional.of(32), Optional.of(32), Interpolation.BILINEAR, Resize.Filter.OPENCV);
        Decode decode = new Decode(Decode.Mode.EXACT, Decode.Orientation.IGNORE, false);
        return new Pipeline(
                        "image",
                        List.of(decode, resize),
                        PixelLayout.NHWC,
                        OnBroken.FAIL,
                        Optional.empty(),
                        Optional.empty())
                .bound("x", new Field("image", DType.BINARY, Shape.scalar(), false), 0, Optional.empty());
    }

    private static long bytes(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.UTF_8).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElseThrow();
    }
}
