package io.rankfeed.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.transform.DecoderMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.opencv_core.Mat;
import org.junit.jupiter.api.Test;

/** Tests the messages of libpng, libjpeg and OpenCV about files, in this process and in a process of its own. */
class NativeMessagesTest {
    private static final Path GOLDEN = Path.of("../../schema/image/src/test/resources/images");
    private static final String EXTRANEOUS = "Corrupt JPEG data: N extraneous bytes before marker N";
    private static final String CHECKSUM = "libpng error: IHDR: CRC error";

    @Test
    void messages_sameReason_areCountedAndLoggedOnce() throws Exception {
        List<String> log = new ArrayList<>();
        DecoderMessages messages = new DecoderMessages(log::add);
        new OpenCvCanvasMaker().redirectMessages(messages);
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int jpegs = 20 + random.nextInt(20);
        int pngs = 20 + random.nextInt(20);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < jpegs; i++) {
                // The decoder reads up to eight bytes ahead.
                int garbage = 9 + random.nextInt(200);
                threads.execute(() -> decode(withGarbage("ycc-444.jpg", garbage)));
            }
            for (int i = 0; i < pngs; i++) {
                threads.execute(() -> decode(withWrongChecksum("rgba.png")));
            }
        }
        assertThat(messages.counts()).containsAllEntriesOf(Map.of(EXTRANEOUS, (long) jpegs, CHECKSUM, (long) pngs));
        assertThat(log).hasSize(messages.counts().size());
        assertThat(log.stream().filter(line -> line.contains("extraneous bytes")))
                .singleElement()
                .asString()
                .matches("an image decoder reports \"Corrupt JPEG data: [0-9]+ extraneous .*");
    }

    @Test
    void errorStream_nativeMessages_areAbsent() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        GOLDEN.toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).isZero();
        assertThat(printed.lines().filter(line -> !line.isEmpty())).containsExactly("from Java", "2 lines");
    }

    @Test
    void messages_chosenByFile_areBounded() {
        DecoderMessages messages = new DecoderMessages(line -> {});
        for (int i = 0; i < 10_000; i++) {
            messages.accept(String.valueOf((char) ('A' + i)).repeat(i) + "\u001b[2J");
        }
        assertThat(messages.counts()).hasSizeLessThanOrEqualTo(51).containsKey("other messages");
        assertThat(messages.counts().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(10_000);
        assertThat(messages.counts().keySet())
                .noneMatch(reason -> reason.contains("\u001b") || reason.length() > 2_000);
    }

    /** Prints a line, and makes libjpeg and libpng print one each. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            List<String> lines = new ArrayList<>();
            new OpenCvCanvasMaker().redirectMessages(lines::add);
            decode(withGarbage("ycc-444.jpg", 50));
            decode(withWrongChecksum("rgba.png"));
            System.err.println("from Java");
            System.err.println(lines.stream().distinct().count() + " lines");
        }
    }

    private static void decode(byte[] file) {
        try (Mat bytes = new Mat(file);
                Mat image = opencv_imgcodecs.imdecode(bytes, opencv_imgcodecs.IMREAD_COLOR)) {
            image.release();
            bytes.release();
        }
    }

    /** Returns the file with bytes before its end marker. */
    private static byte[] withGarbage(String name, int count) {
        byte[] file = read(name);
        byte[] longer = Arrays.copyOf(file, file.length + count);
        System.arraycopy(file, file.length - 2, longer, longer.length - 2, 2);
        Arrays.fill(longer, file.length - 2, longer.length - 2, (byte) 0x11);
        return longer;
    }

    private static byte[] withWrongChecksum(String name) {
        byte[] file = read(name);
        file[30] ^= 1;
        return file;
    }

    private static byte[] read(String name) {
        try {
            return Files.readAllBytes(GOLDEN.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
