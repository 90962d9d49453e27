package io.rankfeed.sampling.plan;

import static io.rankfeed.sampling.plan.RequestBuilder.assertRefused;
import static io.rankfeed.sampling.plan.RequestBuilder.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.sampling.plan.quota.Margin;
import io.rankfeed.sampling.plan.quota.Quotas;
import io.rankfeed.schema.order.Stratum;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Margins, floors and caps of a stage, as plans hold them. */
class StageQuotasTest {
    private static final Map<String, String> CORRECT = Map.of(
            "false/high",
            "false",
            "false/low",
            "false",
            "false/medium",
            "false",
            "true/high",
            "true",
            "true/low",
            "true",
            "true/medium",
            "true");
    private static final Map<String, String> DIFFICULTY = Map.of(
            "false/high",
            "high",
            "false/low",
            "low",
            "false/medium",
            "medium",
            "true/high",
            "high",
            "true/low",
            "low",
            "true/medium",
            "medium");

    @Test
    void twoColumnsHaveTheirSharesAtOnce() {
        TrainFeed order = plan(w -> {
            table(w, 1_000_000, 1_000_000);
            w.rows = 8_000;
            margins(w, "1", "false=1 true=1", "low=70 medium=30 high=0");
        });
        assertThat(order.strata()).extracting(Stratum::name).startsWith("false/high", "false/low", "false/medium");
        assertThat(order.segments().get(0).quotas()).containsExactly(0L, 700L, 300L, 0L, 700L, 300L);
    }

    @Test
    void share_impossible_isRefusedEvenIfRedistributed() {
        Consumer<RequestBuilder> scarce = w -> {
            table(w, 38_500, 1_000_000);
            w.rows = 200_000;
            margins(w, "1", "false=1 true=1", "low=10 medium=50 high=40");
        };
        assertRefused(
                scarce,
                "stratum 'false/high': epoch 0 wants 40000 rows, the table has 38500; short too: 'true/high' (40000 of 38500)");
        assertRefused(
                scarce.andThen(w -> w.onShortage = OnShortage.REDISTRIBUTE),
                "stage 0, epoch 0: margin of 'difficulty': 'high' is to have 80000 rows",
                "at most 77000");
    }

    @Test
    void redistributionMovesRowsWithinTheMargins() {
        TrainFeed order = plan(w -> {
            w.onShortage = OnShortage.REDISTRIBUTE;
            w.rows = 200_000;
            for (String name : CORRECT.keySet()) {
                w.stratum(name, name.equals("true/high") ? 30_000 : 1_000_000);
            }
            margins(w, "1", "false=1 true=1", "low=10 medium=50 high=40");
        });
        List<Long> quotas = order.segments().get(0).quotas();
        assertThat(quotas.get(0) + quotas.get(3)).isEqualTo(20_000);
        assertThat(quotas.get(3)).isEqualTo(7_500);
        assertThat(quotas.get(0) + quotas.get(1) + quotas.get(2)).isEqualTo(25_000);
        assertThat(quotas.get(1) + quotas.get(4)).isEqualTo(5_000);
    }

    @Test
    void margin_ofOneColumn_leavesOthersToTheWeights() {
        TrainFeed order = plan(w -> {
            table(w, 1_000_000, 1_000_000);
            w.rows = 8_000;
            Map<String, BigDecimal> weights = new LinkedHashMap<>();
            CORRECT.forEach((name, correct) -> weights.put(name, BigDecimal.valueOf(correct.equals("true") ? 3 : 1)));
            Margin difficulty = new Margin("difficulty", DIFFICULTY, shares("low=1 medium=1 high=2"));
            w.stages.add(new PlanRequest.Stage(new StageEnd.Run(), weights, List.of(difficulty), Map.of()));
        });
        assertThat(order.segments().get(0).quotas()).containsExactly(250L, 125L, 125L, 750L, 375L, 375L);
    }

    @Test
    void whatAMarginCannotMeanIsRefused() {
        Consumer<RequestBuilder> plain = w -> {
            table(w, 1_000, 1_000);
            w.rows = 80;
        };
        assertRefused(
                plain.andThen(w -> margins(w, "1", "yes=1", "low=1")),
                "no stratum has the value 'yes'",
                "[false, true]");
        assertRefused(
                plain.andThen(w -> margins(w, "1", "true=0", "low=1")), "margin of 'is_correct': all weights are 0");
        assertRefused(plain.andThen(w -> margins(w, "1", "true=-1", "low=1")), "weight -1 of 'true' is negative");
        assertRefused(
                plain.andThen(w -> margins(w, "1", "true=1 false=1", "low=1 high=0.001")),
                "margin of 'difficulty': the share of 'high' is under one unit of 4 rows");
        assertRefused(
                plain.andThen(w -> w.stages.add(new PlanRequest.Stage(
                        new StageEnd.Run(),
                        Map.of(),
                        List.of(new Margin("half", Map.of("true/low", "x"), shares("x=1"))),
                        Map.of()))),
                "stratum 'false/high' has no value");
    }

    @Test
    void stratum_bounded_keepsItsBoundsAndOthersShareTheRest() {
        Consumer<RequestBuilder> tail = w -> {
            w.rows = 400;
            w.stratum("a", 1_000).stratum("b", 1_000).stratum("c", 1_000).stratum("d", 1_000);
        };
        TrainFeed order = plan(tail.andThen(w ->
                bounded(w, shares("a=90 b=6 c=3 d=1"), Map.of("a", bounds("0", "0.405"), "d", bounds("0.095", "1")))));
        // 100 units: at most 40.5, so 40; at least 9.5, so 10; the rest 2 : 1.
        assertThat(order.segments().get(0).quotas()).containsExactly(40L, 33L, 17L, 10L);
        assertRefused(
                tail.andThen(
                        w -> bounded(w, shares("a=1 b=1"), Map.of("a", bounds("0", "0.2"), "b", bounds("0", "0.5")))),
                "stage 0, epoch 0",
                "30 units find no stratum",
                "other bounds");
        assertRefused(
                tail.andThen(w -> bounded(
                        w,
                        shares("a=1"),
                        Map.of("a", bounds("0", "1"), "b", bounds("0.7", "1"), "c", bounds("0.4", "1")))),
                "the floors add up to 1.1 of the rows; lower some");
        assertRefused(
                tail.andThen(w -> bounded(
                        w,
                        shares("a=1"),
                        Map.of("a", bounds("0.335", "1"), "b", bounds("0.335", "1"), "c", bounds("0.325", "1")))),
                "rounded up to units of 4 rows, take 101 of 100 units");
        assertRefused(
                tail.andThen(w -> bounded(w, shares("a=1"), Map.of("x", bounds("0", "1")))), "unknown stratum 'x'");
        assertRefused(
                tail.andThen(w -> bounded(w, shares("a=1"), Map.of("a", bounds("0.5", "0.4")))), "from 0.5 to 0.4");
        assertRefused(
                tail.andThen(w -> bounded(w, shares("a=1 b=1"), Map.of("a", bounds("0.401", "0.409")))),
                "stratum 'a' is to give at least 164 rows, but can give at most 160");
    }

    /** Shares strictly between their bounds are one multiple of their weights, to less than a unit. */
    @Test
    void shares_bounded_addUpAndFreeOnesFollowTheWeights() {
        long seed = 5;
        SplittableRandom random = new SplittableRandom(seed);
        int checked = 0;
        for (int i = 0; i < 5_000; i++) {
            int count = random.nextInt(1, 8);
            long units = random.nextLong(1, 2_000);
            long[] floors = random.longs(count, 0, units / count + 1).toArray();
            long[] caps = Arrays.stream(floors)
                    .map(floor -> floor + random.nextLong(units))
                    .toArray();
            List<BigDecimal> weights =
                    random.ints(count, 1, 100).mapToObj(BigDecimal::valueOf).toList();
            if (Arrays.stream(caps).sum() < units) {
                continue;
            }
            checked++;
            long[] shares = Quotas.apportion(units, weights, floors, caps);
            assertThat(Arrays.stream(shares).sum()).isEqualTo(units);
            double min = 0;
            double max = Double.MAX_VALUE;
            for (int s = 0; s < count; s++) {
                assertThat(shares[s]).as("seed %d, case %d", seed, i).isBetween(floors[s], caps[s]);
                double weight = weights.get(s).doubleValue();
                min = shares[s] > floors[s] ? Math.max(min, (shares[s] - 1) / weight) : min;
                max = shares[s] < caps[s] ? Math.min(max, (shares[s] + 1) / weight) : max;
            }
            assertThat(min).as("seed %d, case %d", seed, i).isLessThanOrEqualTo(max);
        }
        assertThat(checked).isGreaterThan(3_000);
    }

    private static void table(RequestBuilder request, long high, long others) {
        CORRECT.keySet().forEach(name -> request.stratum(name, name.endsWith("high") ? high : others));
    }

    private static void margins(RequestBuilder request, String until, String correct, String difficulty) {
        request.stages.add(new PlanRequest.Stage(
                new StageEnd.Fraction(new BigDecimal(until)),
                Map.of(),
                List.of(
                        new Margin("is_correct", CORRECT, shares(correct)),
                        new Margin("difficulty", DIFFICULTY, shares(difficulty))),
                Map.of()));
    }

    private static void bounded(
            RequestBuilder request, Map<String, BigDecimal> weights, Map<String, PlanRequest.Bounds> bounds) {
        request.stages.add(new PlanRequest.Stage(new StageEnd.Run(), weights, List.of(), bounds));
    }

    private static PlanRequest.Bounds bounds(String min, String max) {
        return new PlanRequest.Bounds(new BigDecimal(min), new BigDecimal(max));
    }

    private static Map<String, BigDecimal> shares(String words) {
        Map<String, BigDecimal> shares = new LinkedHashMap<>();
        for (String word : words.split(" ", -1)) {
            shares.put(word.substring(0, word.indexOf('=')), new BigDecimal(word.substring(word.indexOf('=') + 1)));
        }
        return shares;
    }
}
