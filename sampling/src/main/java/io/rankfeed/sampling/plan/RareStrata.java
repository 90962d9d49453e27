package io.rankfeed.sampling.plan;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.CanonicalJson;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Strata whose share of some stage is so small that they would get none of it, drawn together as one: it has their weights and
 * their rows (docs/format/plan.md, section 3.3).
 */
public final class RareStrata {
    /**
     * A request in which rare strata are one.
     *
     * @param drawnAs by rare stratum the stratum as which it is drawn
     */
    public record Merged(PlanRequest request, Map<String, String> drawnAs) {}

    private RareStrata() {}

    /**
     * Merges once: what is rare depends on each stratum's own ideal, which merging others does not change, so that one merge never
     * makes further strata rare.
     *
     * @param restOf the name of the stratum that stands for a rare one
     * @throws ConfigException if every stratum with a weight is rare, with the numbers
     */
    public static Merged merge(PlanRequest request, UnaryOperator<String> restOf) {
        Map<String, String> drawnAs = new TreeMap<>();
        Set<String> rare = rare(request);
        Set<String> rest = new TreeSet<>();
        rare.forEach(name -> rest.add(restOf.apply(name)));
        for (PlanRequest.Available stratum : request.strata()) {
            if (rest.contains(stratum.stratum()) && !rare.contains(stratum.stratum())) {
                throw new ConfigException("stratum '" + stratum.stratum()
                        + "' has the name under which rare strata are drawn together; rename its value");
            }
        }
        rare.forEach(name -> drawnAs.put(name, restOf.apply(name)));
        return new Merged(rare.isEmpty() ? request : renamed(request, drawnAs), drawnAs);
    }

    /** Returns the strata that have a weight in some stage, but an ideal share of less than one unit in it. */
    private static Set<String> rare(PlanRequest request) {
        // As the plan numbers them.
        List<PlanRequest.Available> strata = request.strata().stream()
                .sorted((a, b) -> CanonicalJson.compareCodePoints(a.stratum(), b.stratum()))
                .toList();
        List<List<BigDecimal>> weights = PlanRequestRules.weights(request, strata);
        Set<String> rare = new TreeSet<>();
        for (Piece piece : RunSteps.of(request, null).byStage()) {
            List<BigDecimal> shares = weights.get(piece.stage());
            long units = piece.units(request.lanes());
            BigDecimal total = shares.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
            int weighted = 0;
            int rareHere = 0;
            for (int s = 0; s < shares.size(); s++) {
                boolean isWeighted = shares.get(s).signum() > 0;
                weighted += isWeighted ? 1 : 0;
                if (isWeighted
                        && shares.get(s).multiply(BigDecimal.valueOf(units)).compareTo(total) < 0) {
                    rare.add(strata.get(s).stratum());
                    rareHere++;
                }
            }
            if (rareHere == weighted && weighted > 1) {
                throw new ConfigException("stage " + piece.stage() + ": each of its " + weighted
                        + " strata has a share under one unit of " + request.lanes() + " rows: the stage has "
                        + Plural.counted(units, "unit") + " (" + Plural.counted(piece.steps(), "step")
                        + " of " + Plural.counted(piece.batch(), "row")
                        + "). Together they would be one stratum; plan more rows or epochs, lower lanes, or"
                        + " take strata with fewer values");
            }
        }
        return rare;
    }

    private static PlanRequest renamed(PlanRequest request, Map<String, String> drawnAs) {
        Map<String, Long> rows = new LinkedHashMap<>();
        for (PlanRequest.Available stratum : request.strata()) {
            rows.merge(drawnAs.getOrDefault(stratum.stratum(), stratum.stratum()), stratum.rows(), Long::sum);
        }
        List<PlanRequest.Available> strata = new ArrayList<>();
        rows.forEach((name, count) -> strata.add(new PlanRequest.Available(name, count)));
        List<PlanRequest.Stage> stages = new ArrayList<>();
        for (PlanRequest.Stage stage : request.stages()) {
            Map<String, BigDecimal> weights = new HashMap<>();
            stage.weights()
                    .forEach(
                            (name, weight) -> weights.merge(drawnAs.getOrDefault(name, name), weight, BigDecimal::add));
            for (String bounded : stage.bounds().keySet()) {
                if (drawnAs.containsKey(bounded)) {
                    throw new ConfigException("stratum '" + bounded
                            + "' has a floor or a cap, and is so rare that it would be drawn together with others;"
                            + " leave its bounds out, or raise its weight");
                }
            }
            stages.add(new PlanRequest.Stage(stage.until(), weights, stage.margins(), stage.bounds(), stage.batch()));
        }
        return request.joined(strata, stages);
    }
}
