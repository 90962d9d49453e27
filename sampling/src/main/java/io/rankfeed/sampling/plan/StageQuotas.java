package io.rankfeed.sampling.plan;

import io.rankfeed.sampling.plan.quota.Margins;
import io.rankfeed.sampling.plan.quota.Quotas;
import io.rankfeed.sampling.plan.quota.Webster;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The quotas of a piece of a stage: by weights or margins, within the stage's bounds (docs/format/plan.md, section 3.3). */
final class StageQuotas {
    private static final int SHOWN_DIGITS = 6;

    private final PlanRequest request;
    private final List<PlanRequest.Available> strata;
    private final List<List<BigDecimal>> weights;

    /** @param strata in the order of the plan */
    StageQuotas(PlanRequest request, List<PlanRequest.Available> strata) {
        this.request = request;
        this.strata = strata;
        this.weights = PlanRequestRules.weights(request, strata);
    }

    /** @param caps units that each stratum can give at most */
    long[] of(Piece piece, long units, long[] caps) {
        if (piece.stage() < 0) {
            return new long[] {units};
        }
        if (request.stages().isEmpty()) {
            return Quotas.apportion(units, weights.get(0), caps);
        }
        PlanRequest.Stage stage = request.stages().get(piece.stage());
        long[] floors = new long[caps.length];
        long[] max = caps.clone();
        for (int s = 0; s < max.length; s++) {
            PlanRequest.Bounds bounds = stage.bounds().get(strata.get(s).stratum());
            if (bounds != null) {
                floors[s] = share(units, bounds.min(), RoundingMode.CEILING);
                max[s] = Math.min(max[s], share(units, bounds.max(), RoundingMode.FLOOR));
            }
            if (floors[s] > max[s]) {
                throw new ConfigException(where(piece) + ": stratum '"
                        + strata.get(s).stratum()
                        + "' is to give at least " + floors[s] * request.lanes() + " rows, but can give at most "
                        + max[s] * request.lanes() + "; quotas are multiples of " + request.lanes() + " rows");
            }
        }
        requireRoom(piece, stage, units, floors);
        return stage.margins().isEmpty() ? byWeight(piece, units, floors, max) : byMargins(piece, units, floors, max);
    }

    /** Floors that take more than there is: other rows or shortages do not help, only other floors or smaller units. */
    private void requireRoom(Piece piece, PlanRequest.Stage stage, long units, long[] floors) {
        BigDecimal sum =
                stage.bounds().values().stream().map(PlanRequest.Bounds::min).reduce(BigDecimal.ZERO, BigDecimal::add);
        if (sum.compareTo(BigDecimal.ONE) > 0) {
            throw new ConfigException(where(piece) + ": the floors add up to " + shown(sum)
                    + " of the rows; lower some, so that their sum is at most 1");
        }
        long taken = Arrays.stream(floors).sum();
        if (taken > units) {
            throw new ConfigException(where(piece) + ": the floors, each rounded up to units of " + request.lanes()
                    + " rows, take " + taken + " of " + units + " units; lower some, lower lanes, or plan more rows");
        }
    }

    private static long share(long units, BigDecimal share, RoundingMode rounding) {
        return share.multiply(BigDecimal.valueOf(units)).setScale(0, rounding).longValueExact();
    }

    private static String where(Piece piece) {
        return "stage " + piece.stage() + ", epoch " + piece.epoch();
    }

    private long[] byWeight(Piece piece, long units, long[] floors, long[] caps) {
        List<BigDecimal> shares = weights.get(piece.stage());
        long[] quotas;
        try {
            quotas = request.shares() == Shares.GROWING
                    ? Webster.apportion(units, shares)
                    : Quotas.apportion(units, shares, floors, caps);
        } catch (ConfigException e) {
            throw new ConfigException(
                    where(piece)
                            + ": the strata cannot share the stage's rows within their bounds and the rows that there"
                            + " are (" + e.getMessage() + ", a unit is " + request.lanes()
                            + " rows); request fewer rows,"
                            + " choose on-shortage: repeat, or other bounds",
                    e);
        }
        for (int s = 0; s < quotas.length; s++) {
            boolean exhausted = quotas[s] == caps[s];
            if (quotas[s] == 0 && shares.get(s).signum() > 0 && !exhausted && request.zeroQuota() != ZeroQuota.ALLOW) {
                String join = request.zeroQuota() == ZeroQuota.REFUSE
                        ? "join it with another stratum (on-rare: rest joins all such), "
                        : "plan more rows or epochs, ";
                throw new ConfigException("stage " + piece.stage() + ": the share of stratum '"
                        + strata.get(s).stratum() + "' is under one unit of " + request.lanes() + " rows (weight "
                        + shown(shares.get(s)) + " of " + shown(sum(shares)) + ", "
                        + Plural.counted(piece.steps(), "step") + " of " + Plural.counted(piece.batch(), "row")
                        + "); raise its weight, lower lanes, "
                        + join + "leave it out (on-rare: leave-out), or give it"
                        + " weight 0");
            }
        }
        return quotas;
    }

    private static String shown(BigDecimal weight) {
        return weight.precision() > SHOWN_DIGITS
                ? "about " + weight.round(new MathContext(SHOWN_DIGITS)).toPlainString()
                : weight.toPlainString();
    }

    private static BigDecimal sum(List<BigDecimal> weights) {
        return weights.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private long[] byMargins(Piece piece, long units, long[] floors, long[] caps) {
        PlanRequest.Stage stage = request.stages().get(piece.stage());
        List<String> names = new ArrayList<>();
        for (int s = 0; s < caps.length; s++) {
            names.add(strata.get(s).stratum());
            caps[s] = strata.get(s).rows() == 0 ? 0 : caps[s];
        }
        try {
            if (request.zeroQuota() != ZeroQuota.ALLOW) {
                Margins.checkUnits(request.lanes(), units, stage.margins());
            }
            return Margins.apportion(
                    request.lanes(), units, names, stage.margins(), weights.get(piece.stage()), floors, caps);
        } catch (ConfigException e) {
            throw new ConfigException(where(piece) + ": " + e.getMessage(), e);
        }
    }
}
