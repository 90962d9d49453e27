package io.rankfeed.report;

import io.rankfeed.sampling.simulate.Simulation;
import io.rankfeed.schema.config.Plural;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Reports a simulated run in tables. */
public final class SimulationReport {
    /** The meaning of each number, a line each. */
    public static final List<String> GLOSSARY = List.of(
            "least, mean unique: of a batch's rows the share of different ones, in the worst batch and on average",
            "coverage: share of the pools' rows drawn at least once by the epoch's end; by chance: of as"
                    + " many draws with"
                    + " replacement",
            "correlation: of a row's position in the epoch with that in the one before; 0 is a perfect shuffle",
            "together: of the pairs of rows in a batch, the share that shared a batch in the epoch before");

    private SimulationReport() {}

    public static void describe(Report report, String feed, Simulation simulation) {
        answer(report, feed, simulation);
        report.fact("leastUnique of " + feed, simulation.leastUnique());
        report.fact("meanUnique of " + feed, simulation.meanUnique());
        Report.Table visits =
                report.table("visits of " + feed, "stratum", "pool", "draws", "fewest", "mean", "most", "unseen");
        for (Simulation.Visits stratum : sorted(simulation)) {
            visits.add(
                    stratum.name(),
                    stratum.rows(),
                    stratum.draws(),
                    (long) stratum.minDraws(),
                    stratum.rows() == 0 ? Report.NONE : (double) stratum.draws() / stratum.rows(),
                    (long) stratum.maxDraws(),
                    stratum.unseen());
        }
        double pools = pools(simulation);
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
        Report.Table drawn = report.table("drawn by " + feed, new Report.Table(columns, 2, new ArrayList<>()));
        for (int i = 0; i < simulation.drawn().size(); i++) {
            List<Long> rows = simulation.drawn().get(i);
            List<Object> line = new ArrayList<>(List.of(
                    i * simulation.stretchSteps(),
                    rows.stream().mapToLong(Long::longValue).sum()));
            line.addAll(rows);
            drawn.add(line);
        }
    }

    private static void answer(Report report, String feed, Simulation simulation) {
        report.answer(String.format(
                Locale.ROOT,
                "%s: draws per row: %s; never drawn: %s",
                feed,
                Report.listed(sorted(simulation).stream()
                        .filter(stratum -> stratum.rows() > 0)
                        .map(stratum -> String.format(
                                Locale.ROOT, "%s %.2f", stratum.name(), (double) stratum.draws() / stratum.rows()))
                        .toList()),
                Plural.counted(
                        simulation.strata().stream()
                                .mapToLong(Simulation.Visits::unseen)
                                .sum(),
                        "row")));
        report.answer(String.format(
                Locale.ROOT,
                "%s: different rows in a batch: at least %.1f %%, mean %.1f %%",
                feed,
                100 * simulation.leastUnique(),
                100 * simulation.meanUnique()));
        List<Simulation.Epoch> epochs = simulation.epochs();
        if (!epochs.isEmpty()) {
            Simulation.Epoch last = epochs.get(epochs.size() - 1);
            report.answer(String.format(
                    Locale.ROOT,
                    "%s: rows drawn at least once: %.1f %% (with replacement %.1f %%)",
                    feed,
                    100 * last.seen() / pools(simulation),
                    100 * last.seenByChance() / pools(simulation)));
        }
        epochs.stream()
                .flatMapToDouble(epoch -> epoch.correlation().stream())
                .map(Math::abs)
                .max()
                .ifPresent(max -> report.answer(String.format(
                        Locale.ROOT, "%s: correlation of an epoch with the one before: at most %.3f", feed, max)));
    }

    private static List<Simulation.Visits> sorted(Simulation simulation) {
        return simulation.strata().stream()
                .sorted((a, b) -> StrataNames.FOR_PEOPLE.compare(a.name(), b.name()))
                .toList();
    }

    private static double pools(Simulation simulation) {
        return simulation.strata().stream().mapToLong(Simulation.Visits::rows).sum();
    }

    private static Object known(OptionalDouble value) {
        return value.isPresent() ? (Object) value.getAsDouble() : Report.NONE;
    }
}
