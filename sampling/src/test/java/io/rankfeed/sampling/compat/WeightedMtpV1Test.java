package io.rankfeed.sampling.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.digest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against lists that CPython's own {@code random} drew (gpu-feeder/python/tests/weighted_mtp_v1.py). */
class WeightedMtpV1Test {
    @Test
    void theWordsAreThoseOfPythonsGenerator() throws IOException {
        JsonNode cases = golden().get("words");
        assertThat(cases).hasSize(7);
        for (JsonNode one : cases) {
            PythonRandom random = new PythonRandom(one.get("seed").longValue());
            long[] last = IntStream.range(0, 700)
                    .mapToLong(i -> random.word() & 0xffff_ffffL)
                    .skip(696)
                    .toArray();
            assertThat(last).as("seed " + one.get("seed")).containsExactly(longs(one.get("words")));
        }
    }

    @Test
    void everyListIsThatOfTheProjectNumberForNumber() throws IOException {
        JsonNode lists = golden().get("lists");
        assertThat(lists).hasSize(300);
        for (JsonNode one : lists) {
            int[] list = sampler(one).indices(rows(one.get("rows").intValue()));
            String joined = Arrays.stream(list).mapToObj(Integer::toString).collect(Collectors.joining(","));
            assertThat(list).as(one.toString()).hasSize(one.get("length").intValue());
            assertThat(Arrays.copyOf(list, one.get("first").size()))
                    .as(one.toString())
                    .containsExactly(Arrays.stream(longs(one.get("first")))
                            .mapToInt(Math::toIntExact)
                            .toArray());
            assertThat(Sha256.hex(joined.getBytes(StandardCharsets.UTF_8)))
                    .as(one.toString())
                    .startsWith(one.get("digest").textValue());
        }
    }

    @Test
    void withoutTheKeysInTheFirstRowAnyRowIsDrawn() {
        MetadataRows bare = new MetadataRows(false, false, new BitSet(), new double[50]);
        int[] any = new WeightedMtpV1(9, 42, false, 0.5, Map.of(), Map.of()).indices(bare);

        assertThat(new WeightedMtpV1(9, 42, true, 0.5, Map.of(), Map.of()).indices(bare))
                .containsExactly(any);
        assertThat(new WeightedMtpV1(9, 42, false, 1, Map.of(), Map.of()).indices(bare))
                .containsExactly(any);
        assertThat(new WeightedMtpV1(9, 42, true, 1, Map.of("a", new double[] {0, 1}), Map.of("a", 1.0)).indices(bare))
                .containsExactly(any);
    }

    @Test
    void nothingToDrawFromIsRefused() {
        assertThatThrownBy(() -> new MetadataRows(true, true, new BitSet(), new double[0]))
                .hasMessageContaining("no row");
        assertThatThrownBy(() -> new WeightedMtpV1(0, 42, false, 0.5, Map.of(), Map.of()))
                .hasMessageContaining("samples 0");
        assertThatThrownBy(() -> new WeightedMtpV1(1, 42, false, Double.NaN, Map.of(), Map.of()))
                .hasMessageContaining("correctRatio NaN");
    }

    private static WeightedMtpV1 sampler(JsonNode wish) {
        Map<String, double[]> bins = new LinkedHashMap<>();
        wish.path("bins")
                .properties()
                .forEach(bin -> bins.put(bin.getKey(), new double[] {
                    bin.getValue().get(0).doubleValue(), bin.getValue().get(1).doubleValue()
                }));
        Map<String, Double> weights = new LinkedHashMap<>();
        wish.path("weights")
                .properties()
                .forEach(
                        weight -> weights.put(weight.getKey(), weight.getValue().doubleValue()));
        return new WeightedMtpV1(
                wish.get("samples").intValue(),
                wish.get("seed").longValue(),
                wish.path("balance").booleanValue(),
                wish.path("ratio").asDouble(0.5),
                bins,
                weights);
    }

    /** The rows that the Python side makes, too. */
    private static MetadataRows rows(int count) {
        BitSet correct = new BitSet();
        double[] difficulty = new double[count];
        for (int i = 0; i < count; i++) {
            long word = i * 2654435761L % (1L << 32);
            correct.set(i, (word >> 9) % 5 < 3);
            difficulty[i] = i % 17 == 5 ? Double.NaN : (word >> 16) % 14 - 1;
        }
        return new MetadataRows(true, true, correct, difficulty);
    }

    private static long[] longs(JsonNode numbers) {
        return IntStream.range(0, numbers.size())
                .mapToLong(i -> numbers.get(i).longValue())
                .toArray();
    }

    private static JsonNode golden() throws IOException {
        try (InputStream in = WeightedMtpV1Test.class.getResourceAsStream("/golden/weighted-mtp-v1.json")) {
            return new ObjectMapper().readTree(Objects.requireNonNull(in));
        }
    }
}
