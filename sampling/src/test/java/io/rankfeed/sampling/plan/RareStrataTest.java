package io.rankfeed.sampling.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RareStrataTest {
    /** A hundred categories by their rows: those under half a unit of 8 rows of 1,000 steps are one. */
    @Test
    void strata_belowHalfAUnit_areDrawnAsOne() {
        RequestBuilder request = tail(1, 2, 3, 40, 20_000, 60_000);
        RareStrata.Merged merged = RareStrata.merge(request.build(), name -> "rest");
        assertThat(merged.drawnAs()).containsOnlyKeys("c0", "c1", "c2").containsValue("rest");
        TrainFeed order = OrderPlanner.plan(merged.request());
        assertThat(order.strata()).extracting(Stratum::name).containsExactly("c3", "c4", "c5", "rest");
        assertThat(order.strata().get(3).available()).isEqualTo(6);
        assertThat(order.segments().get(0).quotas().get(3)).isEqualTo(1);
    }

    @Test
    void strata_merged_areNotRareAndKeepTheirShares() {
        SplittableRandom random = new SplittableRandom(17);
        int merges = 0;
        for (int i = 0; i < 2_000; i++) {
            int[] rows = random.ints(random.nextInt(1, 40), 1, 2_000).toArray();
            for (int s = 0; s < rows.length; s++) {
                rows[s] = random.nextBoolean() ? rows[s] : 1 + rows[s] % 9;
            }
            RequestBuilder request = tail(rows);
            RareStrata.Merged merged;
            try {
                merged = RareStrata.merge(request.build(), name -> "rest");
            } catch (ConfigException refused) {
                assertThat(refused)
                        .hasMessageContaining("strata has a share under one unit")
                        .hasMessageNotContaining("on-rare: rest");
                continue;
            }
            merges += merged.drawnAs().size();
            long before = request.strata.stream()
                    .mapToLong(PlanRequest.Available::rows)
                    .sum();
            long after = merged.request().strata().stream()
                    .mapToLong(PlanRequest.Available::rows)
                    .sum();
            assertThat(after).as("seed 17, case %d", i).isEqualTo(before);
            TrainFeed order;
            try {
                order = OrderPlanner.plan(merged.request());
            } catch (ConfigException refused) {
                assertThat(refused)
                        .hasMessageContaining("stratum 'rest'")
                        .hasMessageContaining("plan more rows or epochs")
                        .hasMessageNotContaining("on-rare: rest");
                continue;
            }
            long units = order.steps() * order.rowsPerLane();
            Map<String, Long> quotas = new HashMap<>();
            for (int s = 0; s < order.strata().size(); s++) {
                quotas.put(
                        order.strata().get(s).name(),
                        order.segments().get(0).quotas().get(s));
            }
            merged.request().stages().get(0).weights().forEach((name, weight) -> {
                double ideal = weight.doubleValue() * units / before;
                assertThat((double) quotas.get(name)).isBetween(Math.max(1, ideal - 1), ideal + 1);
            });
        }
        assertThat(merges).isGreaterThan(1_000);
    }

    /** 1,670 categories in equal shares: rare or not is one decision for all of them, and never grows out of a few. */
    @Test
    void equalSharesOfManyStrataDoNotCascade() {
        assertThat(RareStrata.merge(balanced(1_670, 1_670).build(), name -> "rest")
                        .drawnAs())
                .isEmpty();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> RareStrata.merge(balanced(1_670, 1_669).build(), name -> "rest"))
                .withMessageContaining("each of its 1670 strata has a share under one unit of 8 rows")
                .withMessageContaining("1,669 units");
        RequestBuilder request = balanced(1_670, 1_670);
        request.stages.replaceAll(stage ->
                new PlanRequest.Stage(stage.until(), lowered(stage.weights(), 3), stage.margins(), stage.bounds()));
        assertThat(RareStrata.merge(request.build(), name -> "rest").drawnAs()).containsOnlyKeys("c0", "c1", "c2");
    }

    private static Map<String, java.math.BigDecimal> lowered(Map<String, java.math.BigDecimal> weights, int count) {
        Map<String, java.math.BigDecimal> lowered = new HashMap<>(weights);
        for (int s = 0; s < count; s++) {
            lowered.put("c" + s, new java.math.BigDecimal("0.9"));
        }
        return lowered;
    }

    private static RequestBuilder balanced(int strata, long units) {
        RequestBuilder request = new RequestBuilder();
        String[] weights = new String[strata];
        for (int s = 0; s < strata; s++) {
            request.stratum("c" + s, 100);
            weights[s] = "c" + s + "=1";
        }
        request.lanes = 8;
        request.batch = 8;
        request.rows = 8 * units;
        request.onShortage = OnShortage.REPEAT;
        return request.stage("1", weights);
    }

    @Test
    void stratum_namedRestOrBounded_isRefused() {
        RequestBuilder named = tail(1, 60_000).stratum("rest", 10);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> RareStrata.merge(named.build(), name -> "rest"))
                .withMessageContaining("'rest' has the name");
        RequestBuilder bounded = tail(1, 60_000);
        bounded.stages.replaceAll(stage -> new PlanRequest.Stage(
                stage.until(),
                stage.weights(),
                stage.margins(),
                Map.of("c0", new PlanRequest.Bounds(java.math.BigDecimal.ZERO, java.math.BigDecimal.ONE))));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> RareStrata.merge(bounded.build(), name -> "rest"))
                .withMessageContaining("'c0' has a floor or a cap");
    }

    private static RequestBuilder tail(int... rows) {
        RequestBuilder request = new RequestBuilder();
        String[] weights = new String[rows.length];
        long total = 0;
        for (int s = 0; s < rows.length; s++) {
            request.stratum("c" + s, rows[s]);
            weights[s] = "c" + s + "=" + rows[s];
            total += rows[s];
        }
        request.lanes = 8;
        request.batch = 16;
        request.rows = Math.max(16, total / 16 * 16);
        request.onShortage = OnShortage.REPEAT;
        return request.stage("1", weights);
    }
}
