package io.rankfeed.sampling.plan;

import io.rankfeed.sampling.plan.quota.Margin;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.RowOrder;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The settings of a train feed, from which its numbers are planned.
 *
 * @param feed its name
 * @param lanes V, the virtual ranks: every world size that divides it can train
 * @param batch rows of a global batch, a multiple of {@code lanes}; of a stage that has none of its own
 * @param rowsPerEpoch rows wanted in each epoch; what does not fill a batch is left out ({@link EpochMode#PADDED}: filled up)
 * @param strata what the table holds, in any order
 * @param stages of {@link EpochMode#STREAM}, in order; the other modes have none
 */
public record PlanRequest(
        String feed,
        long seed,
        int lanes,
        int batch,
        int epochs,
        long rowsPerEpoch,
        EpochMode mode,
        RowOrder order,
        BalanceWithin balanceWithin,
        PoolSpan pool,
        OnShortage onShortage,
        ZeroQuota zeroQuota,
        Shares shares,
        List<Available> strata,
        List<Stage> stages) {
    /** Weights are computed with exactly: a weight of 1e-1000000 would cost as many digits. */
    public static final int MAX_DIGITS = 100;

    public PlanRequest {
        strata = List.copyOf(strata);
        stages = List.copyOf(stages);
    }

    /** Returns this request with other strata and stages. */
    PlanRequest joined(List<Available> otherStrata, List<Stage> otherStages) {
        return new PlanRequest(
                feed,
                seed,
                lanes,
                batch,
                epochs,
                rowsPerEpoch,
                mode,
                order,
                balanceWithin,
                pool,
                onShortage,
                zeroQuota == ZeroQuota.REFUSE ? ZeroQuota.REFUSE_JOINED : zeroQuota,
                shares,
                otherStrata,
                otherStages);
    }

    /** Rows of a global batch, by stage; without stages those of the run. */
    List<Integer> batches() {
        return stages.isEmpty()
                ? List.of(batch)
                : stages.stream().map(stage -> stage.batch().orElse(batch)).toList();
    }

    /** Whether a weight has more than {@link #MAX_DIGITS} digits, zeros before and after the others too. */
    public static boolean isTooLong(BigDecimal weight) {
        return Math.abs((long) weight.scale()) > MAX_DIGITS || weight.precision() > MAX_DIGITS;
    }

    /** The number of a stratum's rows in the table. */
    public record Available(String stratum, long rows) {}

    /**
     * A mixture for a part of the run.
     *
     * @param until where the stage ends; the last one with the run
     * @param weights by stratum, in any scale; a stratum that is not named has weight 0. With margins they say how to share
     *     where the margins leave a choice, and no weights are equal ones
     * @param margins shares of columns' values, which hold exactly
     * @param bounds by stratum
     * @param batch rows of its global batches
     */
    public record Stage(
            StageEnd until,
            Map<String, BigDecimal> weights,
            List<Margin> margins,
            Map<String, Bounds> bounds,
            OptionalInt batch) {
        public Stage {
            weights = Map.copyOf(weights);
            margins = List.copyOf(margins);
            bounds = Map.copyOf(bounds);
        }

        public Stage(
                StageEnd until, Map<String, BigDecimal> weights, List<Margin> margins, Map<String, Bounds> bounds) {
            this(until, weights, margins, bounds, OptionalInt.empty());
        }

        public Stage(BigDecimal until, Map<String, BigDecimal> weights) {
            this(new StageEnd.Fraction(until), weights, List.of(), Map.of());
        }
    }

    /** The minimum and the maximum share of a stage's rows that a stratum gives, as fractions. */
    public record Bounds(BigDecimal min, BigDecimal max) {}
}
