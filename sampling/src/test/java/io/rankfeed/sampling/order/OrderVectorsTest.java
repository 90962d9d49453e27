package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The golden files still say what this implementation does, and what the slow one does. */
class OrderVectorsTest {
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

    private static String text(String name) throws IOException {
        try (InputStream in = OrderVectorsTest.class.getResourceAsStream("/golden/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
