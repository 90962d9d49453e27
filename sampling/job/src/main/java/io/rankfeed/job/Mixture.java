package io.rankfeed.job;

import io.rankfeed.sampling.plan.PlanRequest;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.failure.Suggestion;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The strata of a feed and their shares. Contradictions that show before any row is counted are refused here. */
record Mixture(
        List<StrataColumn> strata,
        List<String> balance,
        Optional<List<String>> proportional,
        Map<String, BigDecimal> weights,
        Optional<Map<String, Map<String, BigDecimal>>> margins,
        Optional<Map<String, BigDecimal>> floors,
        Optional<Map<String, BigDecimal>> caps,
        List<Stage> stages) {

    /** The stages; without any, one over the whole run where there are strata. Each has the feed's floors and caps too. */
    List<Stage> asStages() {
        if (stages.isEmpty()) {
            return strata.isEmpty()
                    ? List.of()
                    : List.of(new Stage(
                            Optional.of(BigDecimal.ONE),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            weights,
                            margins,
                            floors,
                            caps));
        }
        return stages.stream()
                .map(stage -> new Stage(
                        stage.until(),
                        stage.untilEpoch(),
                        stage.untilStep(),
                        stage.rows(),
                        stage.batch(),
                        stage.where(),
                        stage.orderBy(),
                        stage.weights(),
                        stage.margins(),
                        over(stage.floors(), floors),
                        over(stage.caps(), caps)))
                .toList();
    }

    private static Optional<Map<String, BigDecimal>> over(
            Optional<Map<String, BigDecimal>> own, Optional<Map<String, BigDecimal>> general) {
        Map<String, BigDecimal> both = new HashMap<>(general.orElse(Map.of()));
        both.putAll(own.orElse(Map.of()));
        return both.isEmpty() ? Optional.empty() : Optional.of(both);
    }

    /** @throws BadValue naming the key that cannot be as it is */
    void check() {
        boolean weighed = !weights.isEmpty()
                || !balance.isEmpty()
                || margins.isPresent()
                || proportional.isPresent()
                || stages.stream().anyMatch(Mixture::isWeighed);
        if (!weights.isEmpty() && !stages.isEmpty()) {
            throw new BadValue("weights", "exclude 'stages', which have weights of their own; write one of them");
        }
        if (margins.isPresent() && !stages.isEmpty()) {
            throw new BadValue("margins", "exclude 'stages', which have margins of their own; write one of them");
        }
        boolean filters = stages.stream().anyMatch(stage -> stage.where().isPresent());
        boolean ordered = stages.stream().anyMatch(stage -> stage.orderBy().isPresent());
        boolean bounded = floors.isPresent()
                || caps.isPresent()
                || stages.stream()
                        .anyMatch(stage ->
                                stage.floors().isPresent() || stage.caps().isPresent());
        if (strata.isEmpty() && (weighed || bounded || !(stages.isEmpty() || filters || ordered))) {
            throw new BadValue(
                    "strata", "must name the columns that weights, margins, floors, caps, stages or balance speak of");
        }
        if (!weighed && stages.isEmpty() && !strata.isEmpty()) {
            throw new BadValue(
                    "strata", "have no weights; add weights, margins, stages, balance or proportional, or drop strata");
        }
        if (bounded && (filters || proportional.isPresent())) {
            throw new BadValue(
                    floors.isPresent() ? "floors" : caps.isPresent() ? "caps" : "stages",
                    "floors and caps are of whole strata, which proportional columns and a stage's where part; leave"
                            + " one of them out");
        }
        List<String> columns = strata.stream().map(StrataColumn::displayName).toList();
        refuseTwice("strata", columns);
        refuseTwice("balance", balance);
        for (String column : balance) {
            if (!columns.contains(column)) {
                throw new BadValue("balance", "'" + column + "' is not a strata column " + columns);
            }
        }
        for (String column : proportional.orElse(List.of())) {
            if (!columns.contains(column)) {
                throw new BadValue("proportional", "'" + column + "' is not a strata column " + columns);
            }
            if (balance.contains(column)) {
                throw new BadValue(
                        "proportional", "'" + column + "' is also listed under balance; leave one of them out");
            }
        }
        refuseTwice("proportional", proportional.orElse(List.of()));
        checkShares("weights", weights);
        checkMargins("margins", margins, columns);
        checkBounds("floors", floors);
        checkBounds("caps", caps);
        checkStages(columns);
    }

    private void checkStages(List<String> columns) {
        BigDecimal before = BigDecimal.ZERO;
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            if (stage.until().isPresent()) {
                BigDecimal until = stage.until().get();
                if (until.compareTo(before) <= 0) {
                    throw new BadValue("stages", "until: " + until + " does not follow " + before);
                }
                before = until;
                if (i == stages.size() - 1 && until.compareTo(BigDecimal.ONE) != 0) {
                    throw new BadValue("stages", "the last stage ends at " + until + "; it must end at until: 1.0");
                }
            }
            if (i < stages.size() - 1 && stage.end() instanceof StageEnd.Run) {
                throw new BadValue(
                        "stages",
                        "number " + i + " has no end; only the last stage may omit it; set until, until-epoch,"
                                + " until-step or rows");
            }
        }
        for (Stage stage : stages) {
            if (balance.isEmpty() && proportional.isEmpty() && !strata.isEmpty() && !isWeighed(stage)) {
                throw new BadValue(
                        "stages", "one has no weights and no margins, and there is no balance; give it weights");
            }
            checkShares("stages", stage.weights());
            checkMargins("stages", stage.margins(), columns);
            checkBounds("stages", stage.floors());
            checkBounds("stages", stage.caps());
        }
    }

    private static boolean isWeighed(Stage stage) {
        return !stage.weights().isEmpty() || stage.margins().isPresent();
    }

    private void checkMargins(String key, Optional<Map<String, Map<String, BigDecimal>>> given, List<String> columns) {
        for (Map.Entry<String, Map<String, BigDecimal>> margin :
                given.orElse(Map.of()).entrySet()) {
            String column = margin.getKey();
            if (!columns.contains(column)) {
                throw new BadValue(
                        key, "the margin '" + column + "' is not a strata column" + Suggestion.hint(column, columns));
            }
            if (proportional.filter(those -> those.contains(column)).isPresent()) {
                throw new BadValue(key, "'" + column + "' has a margin and is proportional; leave one of them out");
            }
            if (balance.contains(column)) {
                throw new BadValue(
                        key,
                        "'" + column
                                + "' has a margin and is also listed under balance, which gives its values equal shares;"
                                + " leave one of them out");
            }
            if (margin.getValue().isEmpty()) {
                throw new BadValue(key, "the margin of '" + column + "' has no values; add their shares");
            }
            checkShares(key, margin.getValue());
        }
        if (given.isPresent() && given.get().isEmpty()) {
            throw new BadValue(key, "margins without a column; name a strata column, or leave them out");
        }
    }

    private static void checkShares(String key, Map<String, BigDecimal> shares) {
        shares.forEach((name, share) -> {
            checkDigits(key, "the weight of '" + name + "'", share);
            if (share.signum() < 0) {
                throw new BadValue(key, "the weight of '" + name + "' is negative; weights are 0 or more");
            }
        });
        if (!shares.isEmpty() && shares.values().stream().allMatch(share -> share.signum() == 0)) {
            throw new BadValue(key, "all weights are 0: " + shares.keySet() + "; raise one of them");
        }
    }

    private static void checkBounds(String key, Optional<Map<String, BigDecimal>> bounds) {
        bounds.orElse(Map.of()).forEach((stratum, bound) -> {
            checkDigits(key, "the bound of '" + stratum + "'", bound);
            if (bound.signum() < 0 || bound.compareTo(BigDecimal.ONE) > 0) {
                throw new BadValue(
                        key,
                        "the bound " + bound.toPlainString() + " of '" + stratum
                                + "' is not a fraction of the rows; floors and caps must be between 0 and 1");
            }
        });
    }

    private static void checkDigits(String key, String what, BigDecimal number) {
        if (PlanRequest.isTooLong(number)) {
            throw new BadValue(key, what + " has more than " + PlanRequest.MAX_DIGITS + " digits; round it");
        }
    }

    private static void refuseTwice(String key, List<String> columns) {
        for (String column : columns) {
            if (columns.indexOf(column) != columns.lastIndexOf(column)) {
                throw new BadValue(key, "'" + column + "' is listed twice; write it once");
            }
        }
    }
}
