package io.rankfeed.sampling.order;

import io.rankfeed.sampling.plan.BalanceWithin;
import io.rankfeed.sampling.plan.OnShortage;
import io.rankfeed.sampling.plan.OrderPlanner;
import io.rankfeed.sampling.plan.PlanRequest;
import io.rankfeed.sampling.plan.PoolSpan;
import io.rankfeed.sampling.plan.Shares;
import io.rankfeed.sampling.plan.ZeroQuota;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Small seeded configurations that reach the corners: scarce strata, weights of 0, empty stages, one row per lane, many lanes. */
public final class RandomOrders {
    private final SplittableRandom random;

    private final int maxLanes;

    public RandomOrders(long seed) {
        this(seed, 16);
    }

    public RandomOrders(long seed, int maxLanes) {
        this.random = new SplittableRandom(seed);
        this.maxLanes = maxLanes;
    }

    /** The next order that can be planned; what cannot must be refused as the user's mistake, and is ignored. */
    public TrainFeed next() {
        while (true) {
            try {
                return OrderPlanner.plan(request());
            } catch (ConfigException refused) {
                if (refused.getMessage().isBlank()) {
                    throw new AssertionError("a refusal without words", refused);
                }
            }
        }
    }

    public PlanRequest request() {
        int lanes = random.nextInt(1, maxLanes + 1);
        int batch = lanes * random.nextInt(1, 7);
        int epochs = random.nextInt(1, 4);
        long rows = (long) batch * random.nextInt(1, 31) + random.nextInt(0, batch);
        int kind = random.nextInt(8);
        EpochMode mode = kind == 0 ? EpochMode.PASS : kind == 1 ? EpochMode.PADDED : EpochMode.STREAM;
        RowOrder order = random.nextInt(8) == 0 ? RowOrder.PLANNED : RowOrder.GLOBAL;
        boolean wide = order == RowOrder.GLOBAL && random.nextInt(5) == 0;
        List<PlanRequest.Available> strata = strata(mode, rows);
        return new PlanRequest(
                "train",
                random.nextLong(),
                lanes,
                batch,
                epochs,
                rows,
                mode,
                order,
                wide ? BalanceWithin.EPOCH : BalanceWithin.BATCH,
                random.nextInt(4) == 0 ? PoolSpan.EPOCH : PoolSpan.RUN,
                random.nextInt(4) == 0 ? OnShortage.REDISTRIBUTE : OnShortage.REPEAT,
                ZeroQuota.ALLOW,
                Shares.NEAREST,
                strata,
                mode == EpochMode.STREAM ? stages(strata) : List.of());
    }

    private List<PlanRequest.Available> strata(EpochMode mode, long rows) {
        List<PlanRequest.Available> strata = new ArrayList<>();
        if (mode != EpochMode.STREAM) {
            strata.add(new PlanRequest.Available("all", rows + random.nextInt(5)));
            return strata;
        }
        int count = random.nextInt(1, 9);
        for (int s = 0; s < count; s++) {
            long available =
                    switch (random.nextInt(5)) {
                        case 0 -> random.nextInt(0, 4);
                        case 1 -> random.nextInt(1, 40);
                        case 2 -> random.nextLong(1, rows + 1);
                        default -> 10 * rows;
                    };
            strata.add(new PlanRequest.Available("s" + s, available));
        }
        return strata;
    }

    private List<PlanRequest.Stage> stages(List<PlanRequest.Available> strata) {
        int count = random.nextInt(1, 5);
        List<PlanRequest.Stage> stages = new ArrayList<>();
        int until = 0;
        for (int i = 0; i < count; i++) {
            until = i == count - 1 ? 1000 : random.nextInt(until + 1, 1000 - count + i + 1);
            Map<String, BigDecimal> weights = new HashMap<>();
            for (PlanRequest.Available stratum : strata) {
                if (random.nextInt(5) > 0) {
                    weights.put(stratum.stratum(), BigDecimal.valueOf(random.nextInt(0, 1000), 2));
                }
            }
            stages.add(new PlanRequest.Stage(BigDecimal.valueOf(until, 3), weights));
        }
        return stages;
    }
}
