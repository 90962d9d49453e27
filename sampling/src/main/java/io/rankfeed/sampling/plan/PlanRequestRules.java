package io.rankfeed.sampling.plan;

import io.rankfeed.sampling.plan.quota.Margin;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.OrderLimits;
import io.rankfeed.schema.order.RowOrder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The rules of a {@link PlanRequest}, with messages for users. */
final class PlanRequestRules {
    private PlanRequestRules() {}

    static void check(PlanRequest request) {
        int lanes = request.lanes();
        if (lanes < 1 || lanes > OrderLimits.MAX_LANES) {
            throw new ConfigException("lanes " + lanes + " must be between 1 and " + OrderLimits.MAX_LANES);
        }
        checkBatch("batch ", request.batch(), lanes);
        for (int i = 0; i < request.stages().size(); i++) {
            String name = "stage " + i + ": batch ";
            request.stages().get(i).batch().ifPresent(batch -> checkBatch(name, batch, lanes));
        }
        if (request.epochs() < 1) {
            throw new ConfigException("epochs " + request.epochs() + " must be at least 1");
        }
        if (request.strata().isEmpty()) {
            throw new ConfigException("no stratum: the table has no rows to plan");
        }
        if ((long) lanes * request.strata().size() > OrderLimits.MAX_COUNTERS) {
            throw new ConfigException(request.strata().size() + " strata times " + lanes + " lanes exceed "
                    + OrderLimits.MAX_COUNTERS + "; join rare strata or lower lanes");
        }
        if (request.order() == RowOrder.PLANNED && request.balanceWithin() == BalanceWithin.EPOCH) {
            throw new ConfigException(
                    "order: planned keeps the list's order, so balance-within: epoch cannot shuffle it; use order: global or balance-within: batch");
        }
        checkMode(request);
        checkGrowing(request);
    }

    private static void checkBatch(String name, int batch, int lanes) {
        if (batch < 1 || batch > OrderLimits.MAX_BATCH) {
            throw new ConfigException(name + batch + " must be between 1 and " + OrderLimits.MAX_BATCH);
        }
        if (batch % lanes != 0) {
            throw new ConfigException(name + batch + " is not a multiple of lanes " + lanes + "; take batch "
                    + ((long) batch / lanes + 1) * lanes + " or lanes " + largestDivisor(batch, lanes));
        }
    }

    private static void checkGrowing(PlanRequest request) {
        if (request.shares() == Shares.GROWING
                && (request.onShortage() == OnShortage.REDISTRIBUTE
                        || request.pool() == PoolSpan.EPOCH
                        || request.stages().stream()
                                .anyMatch(stage -> !stage.margins().isEmpty()
                                        || !stage.bounds().isEmpty()))) {
            throw new ConfigException("shares that only grow are by weight alone: margins, floors, caps, a pool of an"
                    + " epoch and redistribute would reduce some of them");
        }
    }

    private static void checkMode(PlanRequest request) {
        boolean stream = request.mode() == EpochMode.STREAM;
        if (!stream && (!request.stages().isEmpty() || request.strata().size() > 1)) {
            throw new ConfigException("mode " + request.mode().word()
                    + " draws from one stratum without weights, but there are "
                    + request.strata().size() + " strata and "
                    + request.stages().size() + " stages; use mode: stream");
        }
        if (stream && request.stages().isEmpty() && request.strata().size() > 1) {
            throw new ConfigException(request.strata().size() + " strata have no weights; give weights or stages");
        }
    }

    static void checkLength(Piece piece, int lanes) {
        long steps = piece.steps();
        if (!OrderLimits.fitsComb(steps, piece.batch() / lanes) || !OrderLimits.fits(lanes, steps)) {
            throw new ConfigException("a stage of " + steps
                    + " steps is too long for 64-bit arithmetic; cut it in two or raise the batch");
        }
    }

    /** Returns the weights by stage and stratum, in the order of {@code strata}. */
    static List<List<BigDecimal>> weights(PlanRequest request, List<PlanRequest.Available> strata) {
        Set<String> names = new HashSet<>();
        for (PlanRequest.Available stratum : strata) {
            if (!names.add(stratum.stratum())) {
                throw new ConfigException("stratum '" + stratum.stratum() + "' is listed twice");
            }
            if (stratum.rows() < 0) {
                throw new ConfigException("stratum '" + stratum.stratum() + "' has " + stratum.rows() + " rows");
            }
        }
        List<List<BigDecimal>> weights = new ArrayList<>();
        if (request.stages().isEmpty()) {
            weights.add(List.of(BigDecimal.ONE));
        }
        for (int i = 0; i < request.stages().size(); i++) {
            weights.add(weights(i, request.stages().get(i), strata, names));
        }
        return weights;
    }

    private static List<BigDecimal> weights(
            int number, PlanRequest.Stage stage, List<PlanRequest.Available> strata, Set<String> names) {
        String where = "stage " + number;
        Set<String> named = new TreeSet<>(stage.weights().keySet());
        named.addAll(stage.bounds().keySet());
        for (String name : named) {
            if (!names.contains(name)) {
                throw new ConfigException(where + ": unknown stratum '" + name + "'; there are "
                        + strata.stream()
                                .map(PlanRequest.Available::stratum)
                                .limit(10)
                                .toList());
            }
        }
        stage.weights().forEach((name, weight) -> checkWeight(where, name, weight));
        for (Margin margin : stage.margins()) {
            margin.weights()
                    .forEach((value, weight) ->
                            checkWeight(where + ", margin of '" + margin.column() + "'", value, weight));
        }
        stage.bounds().forEach((name, bounds) -> checkBounds(where, name, bounds));
        if (stage.weights().isEmpty() && !stage.margins().isEmpty()) {
            return strata.stream().map(stratum -> BigDecimal.ONE).toList();
        }
        List<BigDecimal> ordered = strata.stream()
                .map(stratum -> stage.weights().getOrDefault(stratum.stratum(), BigDecimal.ZERO))
                .toList();
        if (ordered.stream().allMatch(weight -> weight.signum() == 0)) {
            throw new ConfigException("stage " + number + ": all weights are 0; give some stratum a weight");
        }
        return ordered;
    }

    private static void checkWeight(String where, String name, BigDecimal weight) {
        checkDigits(where, "weight of '" + name + "'", weight);
        if (weight.signum() < 0) {
            throw new ConfigException(where + ": weight " + weight.toPlainString() + " of '" + name
                    + "' is negative; weights are 0 or more");
        }
    }

    private static void checkBounds(String where, String name, PlanRequest.Bounds bounds) {
        checkDigits(where, "a bound of '" + name + "'", bounds.min());
        checkDigits(where, "a bound of '" + name + "'", bounds.max());
        if (bounds.min().signum() < 0
                || bounds.min().compareTo(bounds.max()) > 0
                || bounds.max().compareTo(BigDecimal.ONE) > 0) {
            throw new ConfigException(where + ": '" + name + "' is to have from "
                    + bounds.min().toPlainString() + " to " + bounds.max().toPlainString()
                    + " of the rows; bounds must ascend and be between 0 and 1");
        }
    }

    private static void checkDigits(String where, String what, BigDecimal number) {
        if (PlanRequest.isTooLong(number)) {
            throw new ConfigException(
                    where + ": " + what + " has more than " + PlanRequest.MAX_DIGITS + " digits; round it");
        }
    }

    private static int largestDivisor(int batch, int atMost) {
        int divisor = Math.min(batch, atMost);
        while (batch % divisor != 0) {
            divisor--;
        }
        return divisor;
    }
}
