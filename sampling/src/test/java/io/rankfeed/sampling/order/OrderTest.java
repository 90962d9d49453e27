package io.rankfeed.sampling.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Numbers that were tampered with, or written by another hand, are refused before anything is read by them. */
class OrderTest {
    @Test
    void numbersSurviveTheirJson() {
        GoldenOrders.all().values().forEach(order -> assertThat(OrderJson.order(OrderJson.of(order)))
                .isEqualTo(order));
    }

    @Test
    void numbersThatDoNotFitTogetherAreRefused() {
        assertRefused("lanes 0 must be 1 to", json -> json.put("lanes", 0));
        assertRefused("lanes", json -> json.put("lanes", 1 << 30));
        assertRefused("batch 5", json -> json.put("batch", 5));
        assertRefused("batch", json -> json.put("batch", Integer.MAX_VALUE - 1));
        assertRefused("positive", json -> json.put("epochs", 0));
        assertRefused("positive", json -> json.put("stepsPerEpoch", -1));
        assertRefused("segments end at step 10, but the run has 20", json -> json.put("epochs", 2));
        assertRefused("window 2", json -> json.put("window", 2));
        assertRefused("mode pass", json -> json.put("mode", "pass"));
        assertRefused("order planned requires c 0", json -> json.put("order", "planned"));
        assertRefused("has no stratum", json -> json.putArray("strata"));
        assertRefused("is not sorted", json -> stratum(json, 1).put("name", "0"));
        assertRefused("must be 0 to", json -> stratum(json, 1).put("rows", 1L << 62));
        assertRefused("pool of 0 rows", json -> stratum(json, 1).put("rows", 0));
        assertRefused("must begin at step 3", json -> segment(json, 1).put("step", 4));
        assertRefused("ends after", json -> segment(json, 2).put("steps", 4));
        assertRefused("ends after", json -> segment(json, 2).put("steps", Long.MAX_VALUE));
        assertRefused("positive", json -> segment(json, 2).put("steps", 0));
        assertRefused("coprime", json -> segment(json, 1).put("m", 2));
        assertRefused("less than", json -> segment(json, 1).put("c", 4));
        assertRefused(
                "base 5 of stratum 0 must be 4",
                json -> ((ArrayNode) segment(json, 1).get("base")).set(0, 5));
        assertRefused("exceed", json -> ((ArrayNode) segment(json, 1).get("quotas")).set(0, Long.MAX_VALUE));
        assertRefused("negative", json -> ((ArrayNode) segment(json, 1).get("quotas")).set(0, -1));
        assertRefused("1 are missing", json -> ((ArrayNode) segment(json, 2).get("quotas")).set(0, 0));
        assertRefused(
                "3 quotas but 4 bases", json -> ((ArrayNode) segment(json, 2).get("base")).add(0));
        assertRefused("4 quotas for 3 strata", json -> {
            ((ArrayNode) segment(json, 2).get("base")).add(0);
            ((ArrayNode) segment(json, 2).get("quotas")).add(0);
        });
    }

    @Test
    void stepsOutsideTheRunAreRefused() {
        EpochOrder order = new EpochOrder(GoldenOrders.b(), 0, 1);
        BatchRows out = new BatchRows(order.rowsPerBatch());
        for (long step : new long[] {-1, 10}) {
            assertThat(catchThrowable(() -> order.fill(step, out)))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("step " + step + " of 10");
        }
    }

    private static void assertRefused(String words, Consumer<ObjectNode> change) {
        ObjectNode json = OrderJson.of(GoldenOrders.b());
        change.accept(json);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OrderJson.order(json))
                .withMessageContaining(words);
    }

    private static ObjectNode stratum(ObjectNode json, int s) {
        return (ObjectNode) json.get("strata").get(s);
    }

    private static ObjectNode segment(ObjectNode json, int i) {
        return (ObjectNode) json.get("segments").get(i);
    }
}
