package io.rankfeed.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rankfeed.schema.failure.ConfigException;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RareStrataTest {
    /** A hundred categories by their rows: those under half a unit of 8 rows of 1,000 steps are one. */
    @Test
    void strataUnderHalfAUnitAreDrawnAsOneWithTheirWeights() {
        Wishes wishes = tail(1, 2, 3, 40, 20_000, 60_000);
        RareStrata.Merged merged = RareStrata.merge(wishes.toWishes(), name -> "rest");
        assertThat(merged.drawnAs()).containsOnlyKeys("c0", "c1", "c2").containsValue("rest");
        Order order = OrderPlanner.plan(merged.wishes());
        assertThat(order.strata()).extracting(Stratum::name).containsExactly("c3", "c4", "c5", "rest");
        assertThat(order.strata().get(3).available()).isEqualTo(6);
        assertThat(order.segments().get(0).quotas().get(3)).isEqualTo(1);
    }

    @Test
    void afterMergingNoStratumButTheRestIsRareAndAllSharesAreKept() {
        SplittableRandom random = new SplittableRandom(17);
        int merges = 0;
        for (int i = 0; i < 2_000; i++) {
            int[] rows = random.ints(random.nextInt(1, 40), 1, 2_000).toArray();
            for (int s = 0; s < rows.length; s++) {
                rows[s] = random.nextBoolean() ? rows[s] : 1 + rows[s] % 9;
            }
            Wishes wishes = tail(rows);
            RareStrata.Merged merged;
            try {
                merged = RareStrata.merge(wishes.toWishes(), name -> "rest");
            } catch (ConfigException refused) {
                assertThat(refused).hasMessageContaining("strata has a share under one unit");
                continue;
            }
            merges += merged.drawnAs().size();
            long before = wishes.strata.stream()
                    .mapToLong(OrderWishes.Available::rows)
                    .sum();
            long after = merged.wishes().strata().stream()
                    .mapToLong(OrderWishes.Available::rows)
                    .sum();
            assertThat(after).as("seed 17, case %d", i).isEqualTo(before);
            Order order;
            try {
                order = OrderPlanner.plan(merged.wishes());
            } catch (ConfigException refused) {
                assertThat(refused).hasMessageContaining("stratum 'rest'");
                continue;
            }
            long units = order.steps() * order.rowsPerLane();
            Map<String, Long> quotas = new HashMap<>();
            for (int s = 0; s < order.strata().size(); s++) {
                quotas.put(
                        order.strata().get(s).name(),
                        order.segments().get(0).quotas().get(s));
            }
            merged.wishes().stages().get(0).weights().forEach((name, weight) -> {
                double ideal = weight.doubleValue() * units / before;
                assertThat((double) quotas.get(name)).isBetween(Math.max(1, ideal - 1), ideal + 1);
            });
        }
        assertThat(merges).isGreaterThan(1_000);
    }

    /** 1,670 categories in equal shares: rare or not is one decision for all of them, and never grows out of a few. */
    @Test
    void equalSharesOfManyStrataDoNotCascade() {
        assertThat(RareStrata.merge(balanced(1_670, 1_670).toWishes(), name -> "rest")
                        .drawnAs())
                .isEmpty();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> RareStrata.merge(balanced(1_670, 1_669).toWishes(), name -> "rest"))
                .withMessageContaining("each of its 1670 strata has a share under one unit of 8 rows")
                .withMessageContaining("1669 units");
        Wishes wishes = balanced(1_670, 1_670);
        wishes.stages.replaceAll(stage ->
                new OrderWishes.Stage(stage.until(), lowered(stage.weights(), 3), stage.margins(), stage.bounds()));
        assertThat(RareStrata.merge(wishes.toWishes(), name -> "rest").drawnAs())
                .containsOnlyKeys("c0", "c1", "c2");
    }

    private static Map<String, java.math.BigDecimal> lowered(Map<String, java.math.BigDecimal> weights, int count) {
        Map<String, java.math.BigDecimal> lowered = new HashMap<>(weights);
        for (int s = 0; s < count; s++) {
            lowered.put("c" + s, new java.math.BigDecimal("0.9"));
        }
        return lowered;
    }

    private static Wishes balanced(int strata, long units) {
        Wishes wishes = new Wishes();
        String[] weights = new String[strata];
        for (int s = 0; s < strata; s++) {
            wishes.stratum("c" + s, 100);
            weights[s] = "c" + s + "=1";
        }
        wishes.lanes = 8;
        wishes.batch = 8;
        wishes.rows = 8 * units;
        wishes.onShortage = OnShortage.REPEAT;
        return wishes.stage("1", weights);
    }

    @Test
    void aStratumOfTheRestsNameAndOneWithBoundsAreRefused() {
        Wishes named = tail(1, 60_000).stratum("rest", 10);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> RareStrata.merge(named.toWishes(), name -> "rest"))
                .withMessageContaining("'rest' has the name");
        Wishes bounded = tail(1, 60_000);
        bounded.stages.replaceAll(stage -> new OrderWishes.Stage(
                stage.until(),
                stage.weights(),
                stage.margins(),
                Map.of("c0", new OrderWishes.Bounds(java.math.BigDecimal.ZERO, java.math.BigDecimal.ONE))));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> RareStrata.merge(bounded.toWishes(), name -> "rest"))
                .withMessageContaining("'c0' has a floor or a cap");
    }

    private static Wishes tail(int... rows) {
        Wishes wishes = new Wishes();
        String[] weights = new String[rows.length];
        long total = 0;
        for (int s = 0; s < rows.length; s++) {
            wishes.stratum("c" + s, rows[s]);
            weights[s] = "c" + s + "=" + rows[s];
            total += rows[s];
        }
        wishes.lanes = 8;
        wishes.batch = 16;
        wishes.rows = Math.max(16, total / 16 * 16);
        wishes.onShortage = OnShortage.REPEAT;
        return wishes.stage("1", weights);
    }
}
