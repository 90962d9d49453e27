package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.fixture.TextRows;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.Layout;
import io.rankfeed.feeder.tensor.Recipe;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.text.TextRules;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares batches of tokens with those of collators, which src/test/python/text_golden.py recorded. */
class TextGoldenTest {
    private static final byte FILL = 0x5A;

    @TempDir
    private Path dir;

    static Stream<Arguments> cases() throws IOException {
        try (InputStream golden =
                Objects.requireNonNull(TextGoldenTest.class.getResourceAsStream("/golden/text.json"))) {
            JsonNode root = new ObjectMapper().readTree(golden);
            DType[] types = {DType.INT32, DType.UINT8, DType.INT16, DType.UINT16, DType.INT64, DType.UINT32};
            int[] number = {0};
            return StreamSupport.stream(root.path("cases").spliterator(), false)
                    .map(one -> Arguments.of(
                            one.path("reference").asText() + " " + one.path("text"),
                            one,
                            types[number[0]++ % types.length],
                            root.path("seed").asLong()));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void batch_goldenRules_equalsCollator(String name, JsonNode golden, DType tokens, long seed) throws IOException {
        TextRules rules = ConfigDocument.parse(
                        "text", golden.path("text").toString().getBytes(StandardCharsets.UTF_8))
                .bind(TextRules.class);
        int rows = golden.path("rows").size();
        Order order = new Order(
                "texts",
                TestVersion.PLAN_ID,
                Optional.of(new Order.Storage(3, 12)),
                List.of(new SequentialFeed("valid", 1, rows, rows, 1)));
        OpenVersion version = OpenVersion.open(TestVersion.write(dir, order, TextRows.of(tokens, golden.path("rows")))
                .folder());
        ColumnRequest request = ColumnRequest.made("input_ids", new Recipe.Text("tokens", rules, Optional.of(seed)));
        ColumnPlan plan = ColumnPlan.of(version.manifest(), rows, ColumnSelection.of(List.of(request)), 0);
        RankOrder list = RankOrder.sequential(SequentialOrder.of((SequentialFeed) version.feed("valid")), 0, 1);
        SlotSizes sizes = new SlotSizes(plan.tensors().size());
        try (GatherPool pool = new GatherPool(2);
                LaneCache cache = version.map("valid", LaneSelection.all());
                Arena arena = Arena.ofShared()) {
            MemorySegment slot = arena.allocate(plan.slotBytes(), 64);
            slot.fill(FILL);
            int valid =
                    new BatchAssembler(list, cache, plan, pool, RowContext.withoutImages(), 64).fill(0, slot, sizes);
            assertThat(valid).isEqualTo(rows);
            for (int t = 0; t < plan.tensors().size(); t++) {
                TensorSpec tensor = plan.tensors().get(t);
                check(tensor, slot, sizes.usedBytes(t), sizes.width(t), rows, golden.path("batch"));
            }
        }
    }

    private static void check(TensorSpec tensor, MemorySegment slot, long used, long width, int rows, JsonNode batch) {
        boolean isFlash = tensor.name().equals("cu_seq_lens");
        JsonNode expected = batch.get(isFlash ? "cu_seq_lens_q" : tensor.name());
        int count = (int) (used / tensor.strideBytes());
        int inner = tensor.innerDims().stream().reduce(1, Math::multiplyExact);
        if (tensor.layout() == Layout.BOUNDS) {
            assertThat(values(tensor, slot, 0, count, inner)).isEqualTo(expected);
            assertThat(width)
                    .isEqualTo(
                            batch.get(isFlash ? "max_length_q" : "max_seqlen").asLong());
            return;
        }
        ArrayNode found = JsonNodeFactory.instance.arrayNode();
        boolean isFlat = tensor.layout() == Layout.FLAT;
        assertThat(count).isEqualTo(isFlat ? count : rows * width);
        for (int row = 0; row < (isFlat ? 1 : rows); row++) {
            int steps = isFlat ? count : (int) width;
            found.add(values(tensor, slot, row * steps, steps, inner));
        }
        assertThat(found.toString()).isEqualTo(expected.toString());
    }

    private static ArrayNode values(TensorSpec tensor, MemorySegment slot, int first, int count, int inner) {
        ArrayNode values = JsonNodeFactory.instance.arrayNode();
        for (int i = first; i < first + count; i++) {
            if (tensor.innerDims().isEmpty()) {
                add(values, tensor, slot, i);
            } else {
                ArrayNode nested = values.addArray();
                for (int k = 0; k < inner; k++) {
                    add(nested, tensor, slot, i * inner + k);
                }
            }
        }
        return values;
    }

    private static void add(ArrayNode values, TensorSpec tensor, MemorySegment slot, int element) {
        // Of one type, so that equal numbers are equal nodes.
        values.add((int)
                (tensor.dtype() == DType.INT64
                        ? slot.get(ValueLayout.JAVA_LONG, tensor.valuesOffset() + 8L * element)
                        : slot.get(ValueLayout.JAVA_INT, tensor.valuesOffset() + 4L * element)));
    }
}
