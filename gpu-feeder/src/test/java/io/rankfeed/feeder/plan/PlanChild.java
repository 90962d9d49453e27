package io.rankfeed.feeder.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.batch.BatchAssembler;
import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.Verification;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.tensor.ColumnPlan;
import io.rankfeed.feeder.tensor.ColumnRequest;
import io.rankfeed.feeder.tensor.ColumnSelection;
import io.rankfeed.feeder.tensor.SlotSizes;
import io.rankfeed.schema.json.StrictJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans and feeds many orders in one process, for test_many_plans.py: a request and an answer are one line of JSON each. {@code plan} has
 * the words of a command, and is answered by its output and time. {@code feed} is answered by the row ids in the slots of every rank, step
 * by step, which the feeder's own assembly has filled.
 */
final class PlanChild {
    private PlanChild() {}

    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (GatherPool pool = new GatherPool(0)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                JsonNode request = StrictJson.parse(line.getBytes(StandardCharsets.UTF_8), "request");
                out.println(request.has("plan") ? planned(request.get("plan")) : fed(request, pool));
            }
        }
    }

    private static ObjectNode planned(JsonNode words) {
        List<Object> line = new ArrayList<>();
        words.forEach(word -> line.add(word.asText()));
        long begin = System.nanoTime();
        CommandRun run = CommandRun.of(new PlanCommand(), line.toArray());
        long nanos = System.nanoTime() - begin;
        return JsonNodeFactory.instance
                .objectNode()
                .put("exitCode", run.exitCode())
                .put("out", run.out())
                .put("err", run.err())
                .put("nanos", nanos);
    }

    private static ArrayNode fed(JsonNode request, GatherPool pool) {
        Optional<String> plan = Optional.ofNullable(request.get("over")).map(JsonNode::asText);
        OpenOrder opened = NamedOrder.open(request.get("feed").asText(), plan);
        int world = request.get("world").intValue();
        ArrayNode ranks = JsonNodeFactory.instance.arrayNode();
        for (int rank = 0; rank < world; rank++) {
            RankOrder order = RankOrder.of(opened.feed(request.get("name").asText()), rank, world);
            long from = request.get("from").longValue();
            long to = Math.min(request.get("to").longValue(), order.steps());
            LaneSelection lanes = new LaneSelection(List.of(rank), world);
            try (LaneCache cache = opened.map(request.get("name").asText(), lanes)) {
                cache.verify(Verification.FIRST_ACCESS);
                fill(order, cache, columns(opened, order), pool, from, to, ranks.addArray());
            }
        }
        return ranks;
    }

    private static ColumnPlan columns(OpenOrder opened, RankOrder order) {
        List<ColumnRequest> columns = new ArrayList<>(List.of(ColumnRequest.of(ColumnPlan.ROW_ID)));
        opened.columns().schema().names().forEach(name -> columns.add(ColumnRequest.of(name)));
        return ColumnPlan.of(opened.columns(), order.rows(), ColumnSelection.of(columns), 0);
    }

    private static void fill(
            RankOrder order, LaneCache cache, ColumnPlan plan, GatherPool pool, long from, long to, ArrayNode steps) {
        BatchAssembler assembler = new BatchAssembler(order, cache, plan, pool);
        SlotSizes sizes = new SlotSizes(plan.tensors().size());
        long ids = plan.tensors().getFirst().valuesOffset();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(plan.slotBytes(), ColumnPlan.ALIGNMENT_BYTES);
            for (long step = from; step < to; step++) {
                int rows = assembler.fill(step, slot, sizes);
                ArrayNode batch = steps.addArray();
                for (int i = 0; i < rows; i++) {
                    batch.add(slot.get(ValueLayout.JAVA_LONG, ids + (long) i * Long.BYTES));
                }
            }
        }
    }
}
