package io.rankfeed.export.format.store;

import static io.rankfeed.export.format.store.StoreFiles.floats;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EnnScaleTest {
    @Test
    void scale_ofAnyFloats_isThatOfTheirValues() {
        Random random = new Random(Seed.of(EnnScaleTest.class));
        for (int round = 0; round < 200; round++) {
            float[] values = new float[6];
            double max = Double.NEGATIVE_INFINITY;
            double min = Double.POSITIVE_INFINITY;
            double positive = Double.POSITIVE_INFINITY;
            for (int i = 0; i < values.length; i++) {
                float value = Float.intBitsToFloat(random.nextInt());
                values[i] = round % 4 == 0 ? -Math.abs(value) : random.nextInt(3) == 0 ? 0 : value;
                if (Float.isFinite(values[i])) {
                    max = Math.max(max, values[i]);
                    min = Math.min(min, values[i]);
                    positive = values[i] == 0 ? positive : Math.min(positive, Math.abs(values[i]));
                }
            }
            EnnScale scale = new EnnScale();
            scale.addFloats(floats(values), 0, 24);
            ObjectNode described = new JsonMapper().createObjectNode();
            scale.describe(described);
            assertThat(described.path("scale_max_value").asDouble(Double.NEGATIVE_INFINITY))
                    .isEqualTo(max);
            assertThat(described.path("scale_min_value").asDouble(Double.POSITIVE_INFINITY))
                    .isEqualTo(min);
            assertThat(described.path("scale_min_positive").asDouble(Double.POSITIVE_INFINITY))
                    .isEqualTo(positive);
        }
    }
}
