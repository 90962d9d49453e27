package io.rankfeed.sampling.order;

import io.rankfeed.sampling.plan.BalanceWithin;
import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.OrderPlanner;
import io.rankfeed.sampling.plan.PlanRequest;
import io.rankfeed.sampling.plan.PoolSpan;
import io.rankfeed.sampling.plan.Shares;
import io.rankfeed.sampling.plan.ZeroQuota;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The configurations of docs/format/plan.md, section 9, and a few next to them that reach what those do not. */
public final class GoldenOrders {
    private GoldenOrders() {}

    static Map<String, TrainFeed> all() {
        Map<String, TrainFeed> orders = new LinkedHashMap<>();
        orders.put("A", a());
        orders.put("B", b());
        orders.put("C", c());
        orders.put("D", d());
        orders.put("E", e());
        orders.put("padded", padded());
        orders.put("window", window());
        orders.put("many-epochs", manyEpochs());
        orders.put("large-pool", largePool());
        return orders;
    }

    static TrainFeed a() {
        return plan(
                1,
                2,
                2,
                1,
                10,
                EpochMode.STREAM,
                RowOrder.PLANNED,
                BalanceWithin.BATCH,
                Map.of("all", 11L),
                stage("1", 1));
    }

    static TrainFeed b() {
        return curriculum(2, 4, 40, Map.of("0", 100L, "1", 100L, "2", 7L));
    }

    static TrainFeed c() {
        return plan(
                42,
                4,
                4,
                1,
                24,
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                BalanceWithin.BATCH,
                Map.of("0", 1L, "1", 6L),
                stage("1", 1, 1));
    }

    static TrainFeed d() {
        return plan(42, 4, 8, 2, 103, EpochMode.PASS, RowOrder.GLOBAL, BalanceWithin.BATCH, Map.of("all", 103L));
    }

    static TrainFeed e() {
        return curriculum(8, 32, 32_000, Map.of("0", 100_000L, "1", 100_000L, "2", 100_000L));
    }

    /** Rows that do not divide, so that each epoch ends with rows seen twice. */
    static TrainFeed padded() {
        return plan(-7, 4, 8, 3, 301, EpochMode.PADDED, RowOrder.GLOBAL, BalanceWithin.BATCH, Map.of("all", 305L));
    }

    /** Windows that a stage's end cuts inside an epoch. */
    static TrainFeed window() {
        return plan(
                7,
                4,
                12,
                3,
                132,
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                BalanceWithin.EPOCH,
                Map.of("0", 90L, "1", 500L),
                stage("0.5", 1, 2),
                stage("1", 2, 1));
    }

    /** Strata that come round several times, with shared rows. */
    static TrainFeed manyEpochs() {
        return plan(
                99,
                8,
                16,
                5,
                160,
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                BalanceWithin.BATCH,
                Map.of("0", 83L, "1", 141L, "2", 5L),
                stage("0.35", 60, 40, 0),
                stage("1", 30, 60, 10));
    }

    /** Lists long enough for the permutation's rounds. */
    static TrainFeed largePool() {
        return plan(
                123456789012345L,
                4,
                64,
                3,
                6400,
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                BalanceWithin.BATCH,
                Map.of("0", 3001L, "1", 1_000_003L),
                stage("1", 1, 1));
    }

    private static TrainFeed curriculum(int lanes, int batch, long rows, Map<String, Long> available) {
        return plan(
                42,
                lanes,
                batch,
                1,
                rows,
                EpochMode.STREAM,
                RowOrder.GLOBAL,
                BalanceWithin.BATCH,
                available,
                stage("0.3", 70, 30, 0),
                stage("0.7", 30, 60, 10),
                stage("1", 10, 50, 40));
    }

    static PlanRequest.Stage stage(String until, int... weights) {
        Map<String, BigDecimal> named = new LinkedHashMap<>();
        for (int s = 0; s < weights.length; s++) {
            named.put(weights.length == 1 ? "all" : Integer.toString(s), BigDecimal.valueOf(weights[s]));
        }
        return new PlanRequest.Stage(new BigDecimal(until), named);
    }

    private static TrainFeed plan(
            long seed,
            int lanes,
            int batch,
            int epochs,
            long rows,
            EpochMode mode,
            RowOrder order,
            BalanceWithin within,
            Map<String, Long> available,
            PlanRequest.Stage... stages) {
        return OrderPlanner.plan(new PlanRequest(
                "train",
                seed,
                lanes,
                batch,
                epochs,
                rows,
                mode,
                order,
                within,
                PoolSpan.RUN,
                OnShortage.REPEAT,
                ZeroQuota.REFUSE,
                Shares.NEAREST,
                available.entrySet().stream()
                        .map(entry -> new PlanRequest.Available(entry.getKey(), entry.getValue()))
                        .toList(),
                List.of(stages)));
    }
}
