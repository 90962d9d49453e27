package io.rankfeed.spark.source.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines against those of {@link BufferedReader}; files of long lines against a JVM whose heap is smaller than they are. */
class BoundedLinesTest {
    private static final int MAX = JsonlLines.MAX_LINE_BYTES;

    @TempDir
    private Path folder;

    /** Reads a file as a task does, and prints what it finds. */
    static final class Reading {
        public static void main(String[] files) {
            for (String file : files) {
                new JsonlLines(file, new Configuration()).forEachRemaining(line -> {
                    try {
                        System.out.println(line.number() + ": " + line.text().length());
                    } catch (CorruptDataException e) {
                        System.out.println(e.getMessage());
                    }
                });
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3})
    void lines_upToTheLimit_equalThoseOfABufferedReader(int seed) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(60); i > 0; i--) {
                text.append(List.of("\n", "\r", "\r\n", "a", "bcd", "ü€", "\ufffd", "\ud83d\ude00")
                        .get(random.nextInt(8)));
            }
            int max = random.nextInt(12);
            List<String> expected = new ArrayList<>();
            for (String line : new BufferedReader(new StringReader(text.toString()))
                    .lines()
                    .toList()) {
                int bytes = line.getBytes(StandardCharsets.UTF_8).length;
                expected.add(bytes > max ? bytes + " bytes" : line);
            }
            List<String> found = new ArrayList<>();
            try (BoundedLines lines = new BoundedLines(inPieces(text.toString(), random), max)) {
                while (lines.next()) {
                    found.add(lines.isTooLong() ? lines.lengthBytes() + " bytes" : lines.text());
                }
            }
            assertThat(found)
                    .as("seed %d, at most %d bytes, %s", seed, max, text)
                    .isEqualTo(expected);
        }
    }

    @Test
    void line_notUtf8_isFoundNextToReplacementCharacters() throws IOException {
        byte[] bytes = "\ufffd\n\ufffd?\nb".getBytes(StandardCharsets.UTF_8);
        bytes[7] = (byte) 0xC3;
        try (BoundedLines lines = new BoundedLines(new ByteArrayInputStream(bytes), 100)) {
            assertThat(lines.next()).isTrue();
            assertThat(lines.text()).isEqualTo("\ufffd");
            assertThat(lines.next()).isTrue();
            assertThatThrownBy(lines::text).isInstanceOf(CharacterCodingException.class);
            assertThat(lines.next()).isTrue();
            assertThat(lines.text()).isEqualTo("b");
            assertThat(lines.next()).isFalse();
        }
    }

    /** One line has 320 MiB, in 320 KB of gzip; the heap has 256 MiB. */
    @Test
    void line_largerThanTheHeap_isNamedAndOthersAreRead() throws Exception {
        Path bomb = folder.resolve("bomb.jsonl.gz");
        byte[] piece = "a".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(bomb), 1 << 16)) {
            out.write("{}\r\n[1]\n".getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 320; i++) {
                out.write(piece);
            }
            out.write("\r\n{\"a\": 2}".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(Files.size(bomb)).isLessThan(1_000_000);
        List<String> expected = new ArrayList<>(List.of("0: 2", "1: 3", tooLong(bomb, 3, 320L << 20), "3: 8"));
        List<Path> files = new ArrayList<>(List.of(bomb));
        for (int more : new int[] {-1, 0, 1}) {
            Path file = ofTwoLines(MAX + more, more == 0 ? "\r\n" : more < 0 ? "\n" : "");
            files.add(file);
            expected.add("0: 2");
            expected.add(more <= 0 ? "1: " + (MAX + more) : tooLong(file, 2, MAX + more));
        }
        assertThat(read(files)).isEqualTo(expected);
    }

    @Test
    void lines_byIndex_haveTheSameLimit() throws IOException {
        Path longest = ofTwoLines(MAX, "\r\n");
        List<JsonlLines.Line> lines = new ArrayList<>();
        LineChunk.of(longest.toString(), new int[] {1}, scan(longest))
                .forEach(chunk -> chunk.read(new Configuration()).forEachRemaining(lines::add));
        assertThat(lines).singleElement().satisfies(line -> assertThat(line.text())
                .hasSize(MAX));
        Path longer = ofTwoLines(MAX + 1, "");
        assertThatThrownBy(() -> scan(longer))
                .isInstanceOf(CorruptDataException.class)
                .hasMessage(tooLong(longer, 2, MAX + 1));
    }

    private static String tooLong(Path file, int number, long bytes) {
        return file + ":" + number + ": has " + bytes
                + " bytes; a line has at most 67108864: split it into several lines, or"
                + " store large values in the files of a binary source";
    }

    private Path ofTwoLines(int secondBytes, String end) throws IOException {
        Path file = folder.resolve(secondBytes + "-" + end.length() + ".jsonl");
        byte[] second = new byte[secondBytes];
        Arrays.fill(second, (byte) 'x');
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write("{}\n".getBytes(StandardCharsets.UTF_8));
            out.write(second);
            out.write(end.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    private static LineIndex scan(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return LineIndex.scan(file.toString(), in);
        }
    }

    private List<String> read(List<Path> files) throws Exception {
        Path log = folder.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Reading.class.getName()));
        files.forEach(file -> command.add(file.toString()));
        Process reader = new ProcessBuilder(command)
                .redirectOutput(log.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        assertThat(reader.waitFor())
                .as(Files.readString(folder.resolve("errors")))
                .isZero();
        return Files.readAllLines(log);
    }

    /** A stream that gives what it likes at a time. */
    private static InputStream inPieces(String text, Random random) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public int read(byte[] into) {
                return read(into, 0, Math.min(into.length, 1 + random.nextInt(3)));
            }
        };
    }
}
