package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The golden files still say what this implementation does, and what the slow one does. */
class OrderVectorsTest {
    /** A way to compute the digest of a rank. */
    private interface Run {
        String digest(TrainFeed order, int rank, int world);
    }

    @Test
    void plannerAndOrderGiveTheVectorsAgain() throws IOException {
        assertThat(text(OrderVectorsMain.VECTORS)).isEqualTo(OrderVectorsMain.vectors());
    }

    @Test
    void aThousandConfigurationsArePlannedAgain() throws IOException {
        JsonNode orders = new ObjectMapper()
                .readTree(text(OrderVectorsMain.CONFIGURATIONS))
                .get("orders");
        assertThat(orders).hasSize(OrderVectors.CONFIGURATIONS);
        List<JsonNode> again = new ArrayList<>(OrderVectors.configurations());
        for (int i = 0; i < again.size(); i++) {
            assertThat(orders.get(i).toString())
                    .as("configuration %d", i)
                    .isEqualTo(again.get(i).toString());
        }
    }

    @Test
    void thresholdConfigurationsArePlannedAgain() throws IOException {
        assertThat(text(OrderVectorsMain.THRESHOLDS)).isEqualTo(OrderVectorsMain.thresholds());
    }

    @Test
    void storedNumbersAloneGiveTheDigests() throws IOException {
        for (JsonNode one : new ObjectMapper()
                .readTree(text(OrderVectorsMain.CONFIGURATIONS))
                .get("orders")) {
            TrainFeed order = OrderJson.order(one.get("order"));
            assertThat(OrderVectors.configuration(order).toString()).isEqualTo(one.toString());
        }
    }

    @Test
    void theReferenceGivesTheVectorsToo() throws IOException {
        for (JsonNode one :
                new ObjectMapper().readTree(text(OrderVectorsMain.VECTORS)).get("orders")) {
            ReferenceOrder reference = new ReferenceOrder(OrderJson.order(one.get("order")));
            for (JsonNode batch : one.get("batches")) {
                StringBuilder rows = new StringBuilder();
                batch.get("rows").forEach(row -> rows.append('(')
                        .append(row.get(0))
                        .append(',')
                        .append(row.get(1))
                        .append(')'));
                assertThat(Rows.text(reference.batch(
                                batch.get("step").asLong(),
                                batch.get("rank").asInt(),
                                batch.get("world").asInt())))
                        .isEqualTo(rows.toString());
            }
        }
    }

    /** Orders of format 2 of a planner and a reader that share no code with these. */
    @ParameterizedTest
    @ValueSource(strings = {GoldenPlans.PLANS, GoldenPlans.MIXTURES})
    void rows_stepAfterStep_haveTheDigestsOfTheSecondReader(String file) {
        compare(file, OrderDigest::of);
    }

    /** Every step after the one behind it, so that each one is a jump. */
    @ParameterizedTest
    @ValueSource(strings = {GoldenPlans.PLANS, GoldenPlans.MIXTURES})
    void rows_jumpToEachStep_haveTheDigestsOfTheSecondReader(String file) {
        compare(file, (order, rank, world) -> {
            EpochOrder jumping = new EpochOrder(order, rank, world);
            BatchRows batch = new BatchRows(jumping.rowsPerBatch());
            List<List<OrderLookup.Row>> run = new ArrayList<>();
            for (long step = order.steps() - 1; step >= 0; step--) {
                jumping.fill(step, batch);
                run.add(Rows.of(batch));
            }
            Collections.reverse(run);
            return OrderDigest.of(run);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {GoldenPlans.PLANS, GoldenPlans.MIXTURES})
    void rows_lookedUpOneByOne_haveTheDigestsOfTheSecondReader(String file) {
        compare(file, (order, rank, world) -> {
            OrderLookup lookup = new OrderLookup(order);
            List<List<OrderLookup.Row>> run = new ArrayList<>();
            for (int step = 0; step < order.steps(); step++) {
                int at = step;
                run.add(IntStream.range(0, order.batch(order.segmentAt(step)) / world)
                        .mapToObj(index -> lookup.rowAt(at, rank, world, index))
                        .toList());
            }
            return OrderDigest.of(run);
        });
    }

    private static void compare(String file, Run run) {
        for (JsonNode golden : GoldenPlans.cases(file)) {
            TrainFeed order = GoldenPlans.order(golden);
            assertThat(golden.get("digests")).hasSameSizeAs(Worlds.of(order.lanes()));
            for (var world : golden.get("digests").properties()) {
                for (int rank = 0; rank < world.getValue().size(); rank++) {
                    assertThat(run.digest(order, rank, Integer.parseInt(world.getKey())))
                            .as("rank %d of %s: %s", rank, world.getKey(), golden)
                            .isEqualTo(world.getValue().get(rank).asText());
                }
            }
        }
    }

    private static String text(String name) throws IOException {
        try (InputStream in = OrderVectorsTest.class.getResourceAsStream("/golden/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
