package io.rankfeed.feeder.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.feeder.fixture.TextRows;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.Recipe;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.feeder.tensor.TensorSpec;
import io.rankfeed.feeder.text.TextRules;
import io.rankfeed.feeder.transform.Rejections;
import io.rankfeed.sampling.order.SequentialOrder;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Feeds rows that break a rule: they are named, or fed empty and counted. A bad row is between two good ones. */
class RejectedTextTest {
    private static final String GOOD =
            "{tokens: [7, 8, 9], prompt: 1, prompts: [1, 0], spans: [0, 2], members: [1, 2]}";

    @TempDir
    private Path dir;

    private final List<String> log = new ArrayList<>();
    private final Rejections rejections = new Rejections(log::add);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                | {prompt: 1}                        | text-missing         | has no tokens
        {prompt: prompt}  | {tokens: [1]}                      | text-missing         | has no prompt
        {max-length: 3}   | {tokens: [1, 2, 3, 4]}             | text-too-long        | has 4 tokens, max-length is 3
        {max-length: 4, eos: {id: 2}} | {tokens: [1, 2, 3, 4]} | text-too-long        | has 5 tokens, max-length is 4
        {prompt: prompt}  | {tokens: [1], prompt: -1}          | text-invalid-prompt  | has a prompt of -1 tokens
        {spans: spans}    | {tokens: [1, 2], spans: [1, 3]}    | text-invalid-spans   | tokens 1 to 3; must be within 0 to 2
        {spans: spans}    | {tokens: [1, 2], spans: [2, 1]}    | text-invalid-spans   | tokens 2 to 1
        {spans: spans}    | {tokens: [1, 2], spans: [-1, 1]}   | text-invalid-spans   | tokens -1 to 1
        {members: members} | {tokens: [1, 2], members: [1]}    | text-invalid-members | has members of 1 tokens in all
        {members: members} | {tokens: [1, 2], members: [3, -1]} | text-invalid-members | has a member of 3 tokens
        {members: members} | {tokens: [1, 2], members: [2, 0]} | text-invalid-members | has a member of 0 tokens
        {members: members} | {tokens: [1, 2], members: []}     | text-invalid-members | has members of 0 tokens
        {images: {from: images, placeholder: 4, patches: 3}} | {tokens: [4, 4], images: 1} | text-invalid-images | has 2 placeholders (id 4) for 1 images
        {images: {from: images, placeholder: 4, patches: 3}} | {tokens: [1, 2], images: 1} | text-invalid-images | has 0 placeholders (id 4) for 1 images
        {images: {from: images, placeholder: 4, patches: 3}, spans: spans} | {tokens: [4], images: 1, spans: [0, 2]} | text-invalid-spans | tokens 0 to 2; must be within 0 to 1
        {max-length: 5, images: {from: images, placeholder: 4, patches: 3}} | {tokens: [1, 4, 2, 3], images: 1} | text-too-long | has 6 tokens, max-length is 5
        {max-length: 3, truncate: right, images: {from: images, placeholder: 4, patches: 3}} | {tokens: [1, 4], images: 1} | text-too-long | would remove tokens of an image
        {max-length: 3, truncate: left, images: {from: images, placeholder: 4, patches: 3}} | {tokens: [4, 1], images: 1} | text-too-long | would remove tokens of an image
        {members: members, prompt: prompts} | {tokens: [1, 2], members: [1, 1], prompts: [1]} | text-invalid-prompt | has 1 prompt lengths for 2 sequences
        """)
    void row_breaksRule_isRefusedOrEmpty(String text, String row, String reason, String message) throws IOException {
        JsonNode rows = rows(GOOD, row, GOOD);

        assertThatThrownBy(() -> fill(text, rows))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("row id 1007")
                .hasMessageContaining("rejected: empty");
        Map<String, List<Long>> batch =
                fill(text.replaceFirst("^\\{", "{rejected: empty, ").replace(", }", "}"), rows);

        assertThat(batch.get("row.valid")).containsExactly(1L, 0L, 1L);
        int width = batch.get("input_ids").size() / 3;
        assertThat(batch.get("input_ids").subList(width, 2 * width)).containsOnly(0L);
        boolean isPacked = batch.containsKey("seq_idx");
        assertThat(batch.get(isPacked ? "seq_idx" : "attention_mask").subList(width, 2 * width))
                .containsOnly(isPacked ? -1L : 0L);
        assertThat(batch.get("labels").subList(width, 2 * width)).containsOnly(-100L);
        assertThat(batch.get("input_ids").subList(2 * width, 2 * width + 3)).containsExactly(7L, 8L, 9L);
        assertThat(rejections.counts()).isEqualTo(Map.of("input_ids: " + reason, 1L));
        assertThat(log).singleElement().asString().contains(message).contains("an empty row is fed");
    }

    @Test
    void rejectedRow_flatBatch_isEmptySequence() throws IOException {
        String rules = "{layout: flat, rejected: empty, max-length: 3}";
        Map<String, List<Long>> batch = fill(rules, rows(GOOD, "{tokens: [1, 2, 3, 4]}", GOOD));

        assertThat(batch.get("input_ids")).containsExactly(7L, 8L, 9L, 7L, 8L, 9L);
        assertThat(batch.get("cu_seqlens")).containsExactly(0L, 3L, 3L, 6L);
        assertThat(batch.get("row.valid")).containsExactly(1L, 0L, 1L);
    }

    @Test
    void batch_onlyRejectedRows_hasWidthOne() throws IOException {
        Map<String, List<Long>> batch = fill("{rejected: empty, pad-id: 5}", rows("{prompt: 1}", "{prompt: 1}"));

        assertThat(batch.get("input_ids")).containsExactly(5L, 5L);
        assertThat(batch.get("row.valid")).containsExactly(0L, 0L);
        assertThat(fill("{rejected: empty, layout: flat}", rows("{prompt: 1}")).get("input_ids"))
                .isEmpty();
    }

    private static JsonNode rows(String... rows) throws IOException {
        ObjectMapper json = new ObjectMapper().configure(JsonParser.Feature.ALLOW_UNQUOTED_FIELD_NAMES, true);
        return json.readTree("[" + String.join(",", rows) + "]");
    }

    private Map<String, List<Long>> fill(String text, JsonNode given) throws IOException {
        TextRules rules = ConfigDocument.parse("text", text).bind(TextRules.class);
        Order order = new Order(
                "texts",
                TestVersion.PLAN_ID,
                Optional.of(new Order.Storage(2, 8)),
                List.of(new SequentialFeed("valid", 1, given.size(), given.size(), 1)));
        Path folder = dir.resolve(Integer.toHexString((text + given).hashCode()));
        OpenVersion version = OpenVersion.open(TestVersion.write(folder, order, TextRows.of(DType.INT32, given))
                .folder());
        ColumnRequest request = ColumnRequest.made("input_ids", new Recipe.Text("tokens", rules, Optional.empty()));
        ColumnPlan plan = ColumnPlan.of(version.manifest(), given.size(), ColumnSelection.of(List.of(request)), 0);
        RankOrder list = RankOrder.sequential(SequentialOrder.of((SequentialFeed) version.feed("valid")), 0, 1);
        SlotSizes sizes = new SlotSizes(plan.tensors().size());
        RowContext context = new RowContext(RowContext.withoutImages().workers(), rejections);
        try (GatherPool pool = new GatherPool(1);
                LaneCache cache = version.map("valid", LaneSelection.all());
                Arena arena = Arena.ofShared()) {
            MemorySegment slot = arena.allocate(plan.slotBytes(), 64);
            new BatchAssembler(list, cache, plan, pool, context, 64).fill(0, slot, sizes);
            Map<String, List<Long>> batch = new LinkedHashMap<>();
            for (int t = 0; t < plan.tensors().size(); t++) {
                TensorSpec tensor = plan.tensors().get(t);
                List<Long> values = new ArrayList<>();
                int size = tensor.dtype().sizeBytes();
                for (long at = 0; at < sizes.usedBytes(t); at += size) {
                    long where = tensor.valuesOffset() + at;
                    values.add(
                            switch (size) {
                                case 1 -> (long) slot.get(ValueLayout.JAVA_BYTE, where);
                                case 4 -> (long) slot.get(ValueLayout.JAVA_INT, where);
                                default -> slot.get(ValueLayout.JAVA_LONG, where);
                            });
                }
                batch.put(tensor.name(), values);
            }
            return batch;
        }
    }
}
