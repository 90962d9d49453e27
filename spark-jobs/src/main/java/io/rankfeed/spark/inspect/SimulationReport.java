package io.rankfeed.spark.inspect;

import io.rankfeed.sampling.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What a simulated run does with its rows, in tables. */
final class SimulationReport {
    private SimulationReport() {}

    static void describe(Report report, String feed, Simulation simulation) {
        report.fact("leastUnique of " + feed, simulation.leastUnique());
        report.fact("meanUnique of " + feed, simulation.meanUnique());
        Report.Table visits =
                report.table("visits of " + feed, "stratum", "pool", "draws", "fewest", "mean", "most", "unseen");
        for (Simulation.Visits stratum : simulation.strata()) {
            visits.add(
                    stratum.name(),
                    stratum.rows(),
                    stratum.draws(),
                    (long) stratum.fewest(),
                    stratum.rows() == 0 ? Report.NONE : (double) stratum.draws() / stratum.rows(),
                    (long) stratum.most(),
                    stratum.unseen());
        }
        double pools =
                simulation.strata().stream().mapToLong(Simulation.Visits::rows).sum();
        Report.Table epochs = report.table(
                "epochs of " + feed, "epoch", "seen", "coverage", "coverageByChance", "correlation", "together");
        for (int e = 0; e < simulation.epochs().size(); e++) {
            Simulation.Epoch epoch = simulation.epochs().get(e);
            epochs.add(
                    (long) e,
                    epoch.seen(),
                    epoch.seen() / pools,
                    epoch.seenByChance() / pools,
                    known(epoch.correlation()),
                    known(epoch.together()));
        }
        List<String> columns = new ArrayList<>(List.of("firstStep", "rows"));
        simulation.strata().forEach(stratum -> columns.add(stratum.name()));
        Report.Table drawn = report.table("drawn by " + feed, new Report.Table(columns, new ArrayList<>()));
        for (int i = 0; i < simulation.drawn().size(); i++) {
            List<Long> rows = simulation.drawn().get(i);
            List<Object> line = new ArrayList<>(List.of(
                    i * simulation.stretchSteps(),
                    rows.stream().mapToLong(Long::longValue).sum()));
            line.addAll(rows);
            drawn.add(line);
        }
    }

    private static Object known(OptionalDouble value) {
        return value.isPresent() ? (Object) value.getAsDouble() : Report.NONE;
    }
}
