package io.rankfeed.spark.source.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.spark.source.jsonl.JsonlLines.Line;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineIndexTest {
    private static final long TIME = 1_700_000_000_123L;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4})
    void lines_anyLineEnds_equalThoseOfAReader(int seed) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(40); i > 0; i--) {
                text.append(List.of("\n", "\r", "\r\n", "a", "ü€", "{}").get(random.nextInt(6)));
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            LineIndex index = LineIndex.scan("t", inPieces(bytes, random));

            List<String> lines = new ArrayList<>();
            for (int i = 0; i < index.lines(); i++) {
                byte[] line = Arrays.copyOfRange(bytes, (int) index.start(i), (int) index.start(i + 1));
                lines.add(new String(line, StandardCharsets.UTF_8).replaceAll("[\r\n]", ""));
            }
            assertThat(lines)
                    .as("seed %d, %s", seed, text)
                    .isEqualTo(new BufferedReader(new StringReader(text.toString()))
                            .lines()
                            .toList());
            assertThat(index.sha256()).isEqualTo(Sha256.hex(bytes));
            assertThat(index.start(index.lines())).isEqualTo(bytes.length);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2})
    void lines_byNumber_equalThoseReadInTurn(int seed, @TempDir Path folder) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "\ufeff" : "");
            for (int i = random.nextInt(20); i > 0; i--) {
                text.append("ü€{}".charAt(random.nextInt(4)))
                        .append(List.of("\n", "\r", "\r\n").get(random.nextInt(3)));
            }
            Path file = Files.writeString(folder.resolve("a.jsonl"), text);
            LineIndex index = LineIndex.scan("t", new ByteArrayInputStream(Files.readAllBytes(file)));
            List<Line> inTurn = new ArrayList<>();
            new JsonlLines(file.toString(), new Configuration()).forEachRemaining(inTurn::add);
            List<Line> byPlace = new ArrayList<>();
            int[] all = IntStream.range(0, inTurn.size()).toArray();
            LineChunk.of(file.toString(), all, index)
                    .forEach(chunk -> chunk.read(new Configuration()).forEachRemaining(byPlace::add));
            assertThat(byPlace).as("seed %d, %s", seed, text).isEqualTo(inTurn);
        }
    }

    @Test
    void index_isReadBackForItsFileOnly() throws IOException {
        byte[] file = ("x".repeat(200) + "\n\n" + "y".repeat(20_000) + "\r\nz").getBytes(StandardCharsets.UTF_8);
        LineIndex index = LineIndex.scan("t", new ByteArrayInputStream(file));
        byte[] kept = index.toBytes(TIME);

        LineIndex back = LineIndex.parse(kept, file.length, TIME).orElseThrow();
        assertThat(back.sha256()).isEqualTo(index.sha256());
        assertThat(back.lines()).isEqualTo(4);
        for (int i = 0; i <= 4; i++) {
            assertThat(back.start(i)).isEqualTo(index.start(i));
        }
        assertThat(LineIndex.parse(kept, file.length + 1, TIME)).isEmpty();
        assertThat(LineIndex.parse(kept, file.length, TIME + 1)).isEmpty();
    }

    @Test
    void index_withDamagedByte_isNotUsed() throws IOException {
        LineIndex index = LineIndex.scan("t", new ByteArrayInputStream("a\nbb\nccc".getBytes(StandardCharsets.UTF_8)));
        byte[] kept = index.toBytes(TIME);
        for (int i = 0; i < kept.length; i++) {
            byte[] damaged = kept.clone();
            damaged[i] ^= 0x10;
            assertThat(LineIndex.parse(damaged, 8, TIME)).as("byte %d", i).isEmpty();
            assertThat(LineIndex.parse(Arrays.copyOf(kept, i), 8, TIME)).isEmpty();
        }
    }

    /** A stream that gives what it likes at a time. */
    private static InputStream inPieces(byte[] bytes, Random random) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public int read(byte[] into) {
                return read(into, 0, Math.min(into.length, 1 + random.nextInt(3)));
            }
        };
    }
}
