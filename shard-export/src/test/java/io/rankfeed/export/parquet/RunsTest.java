package io.rankfeed.export.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunsTest {
    static IntStream widths() {
        return IntStream.rangeClosed(1, Integer.SIZE);
    }

    @ParameterizedTest
    @MethodSource("widths")
    void numbersOfParquetsEncoderAreRead(int width) throws IOException {
        Random random = new Random(width);
        for (int draw = 0; draw < 50; draw++) {
            int[] numbers = drawn(random, width);
            Runs runs = new Runs(ByteBuffer.wrap(encoded(width, numbers)), width);
            for (int i = 0; i < numbers.length; i++) {
                assertThat(next(runs)).as("number %d of draw %d", i, draw).isEqualTo(numbers[i]);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("widths")
    void numbersAreReadTogetherWhereTheyAreAlike(int width) throws IOException {
        Random random = new Random(width);
        int calls = 0;
        int all = 0;
        for (int draw = 0; draw < 50; draw++) {
            int[] numbers = drawn(random, width);
            byte[] bytes = encoded(width, numbers);
            Runs runs = new Runs(ByteBuffer.wrap(bytes), width);
            for (int i = 0; i < numbers.length; calls++) {
                int count = 1 + random.nextInt(Math.min(numbers.length - i, runs.alike()));
                int number = runs.next(count);
                for (int together = 0; together < count; together++, i++) {
                    assertThat(number).as("number %d of draw %d", i, draw).isEqualTo(numbers[i]);
                }
            }
            all += numbers.length;
            int count = 1 + random.nextInt(numbers.length);
            int max = Arrays.stream(numbers, 0, count).reduce(0, RunsTest::larger);
            assertThat(new Runs(ByteBuffer.wrap(bytes), width).max(count))
                    .as("the largest of %d numbers of draw %d", count, draw)
                    .isEqualTo(max);
        }
        assertThat(calls).isLessThan(all);
    }

    private static int larger(int one, int other) {
        return Integer.compareUnsigned(one, other) > 0 ? one : other;
    }

    private static int next(Runs runs) {
        assertThat(runs.alike()).isPositive();
        return runs.next(1);
    }

    @ParameterizedTest
    @MethodSource("widths")
    void numbersOfCutRunsAreRefused(int width) throws IOException {
        int[] numbers = drawn(new Random(width), width);
        byte[] bytes = encoded(width, numbers);
        for (int length = 0; length < bytes.length; length++) {
            Runs runs = new Runs(ByteBuffer.wrap(bytes, 0, length), width);
            assertThatThrownBy(() -> {
                        for (int number : numbers) {
                            assertThat(next(runs)).isEqualTo(number);
                        }
                    })
                    .as("%d of %d bytes", length, bytes.length)
                    .isInstanceOfAny(BufferUnderflowException.class, IllegalArgumentException.class);
        }
    }

    /** Lengths of zero, and of 2^28 groups, for which a reader would allocate 8 GiB. */
    @ParameterizedTest
    @ValueSource(strings = {"0001", "01", "81808080020000", "808080808001"})
    void lengthsThatNoRunHasAreRefused(String hex) {
        Runs runs = new Runs(ByteBuffer.wrap(HexFormat.of().parseHex(hex)), 8);

        assertThatThrownBy(runs::alike).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void numbersWithoutBitsAreZeroAndHaveNoRuns() {
        assertThat(next(new Runs(ByteBuffer.allocate(0), 0))).isZero();
    }

    /** Stretches of equal and of different numbers. */
    private static int[] drawn(Random random, int width) {
        int[] numbers = new int[1 + random.nextInt(300)];
        int mask = (int) ((1L << width) - 1);
        int repeated = 0;
        for (int i = 0; i < numbers.length; i++) {
            if (random.nextInt(30) == 0) {
                repeated = random.nextInt(60);
            }
            numbers[i] = repeated-- > 0 && i > 0 ? numbers[i - 1] : random.nextInt() & mask;
        }
        return numbers;
    }

    private static byte[] encoded(int width, int[] numbers) throws IOException {
        try (RunLengthBitPackingHybridEncoder encoder =
                new RunLengthBitPackingHybridEncoder(width, 64, 1024, new HeapByteBufferAllocator())) {
            for (int number : numbers) {
                encoder.writeInt(number);
            }
            return encoder.toBytes().toInputStream().readAllBytes();
        }
    }
}
