package io.rankfeed.bench;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The plans that are measured. */
final class Orders {
    private static final int LANES = 8;
    private static final long SEED = 42;

    private Orders() {}

    /** Returns a feed with one stratum; each epoch has every row once, in a new order. */
    static TrainFeed pass(long rows, int batch, int epochs) {
        return plan(batch, epochs, rows, EpochMode.PASS, List.of(new PlanRequest.Available("all", rows)), List.of());
    }

    /** Returns a feed that draws from strata of equal weight in one stream, from each more than once. */
    static TrainFeed stream(int strata, long rows, int batch, int epochs) {
        List<PlanRequest.Available> available = new ArrayList<>();
        Map<String, BigDecimal> weights = new HashMap<>();
        for (int s = 0; s < strata; s++) {
            available.add(new PlanRequest.Available(String.format(Locale.ROOT, "s%05d", s), rows / strata));
            weights.put(String.format(Locale.ROOT, "s%05d", s), BigDecimal.ONE);
        }
        return plan(
                batch,
                epochs,
                rows,
                EpochMode.STREAM,
                available,
                List.of(new PlanRequest.Stage(BigDecimal.ONE, weights)));
    }

    private static TrainFeed plan(
            int batch,
            int epochs,
            long rows,
            EpochMode mode,
            List<PlanRequest.Available> available,
            List<PlanRequest.Stage> stages) {
        return OrderPlanner.plan(new PlanRequest(
                TokenVersion.FEED,
                SEED,
                LANES,
                batch,
                epochs,
                rows,
                mode,
                RowOrder.GLOBAL,
                BalanceWithin.BATCH,
                PoolSpan.RUN,
                OnShortage.REPEAT,
                ZeroQuota.ALLOW,
                Shares.NEAREST,
                available,
                stages));
    }
}
