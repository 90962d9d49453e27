package io.rankfeed.look;

import io.rankfeed.console.Console;
import io.rankfeed.report.PlannedRun;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderId;
import io.rankfeed.schema.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Walks through a planned run without its rows, or measures the batches of a version. */
@Command(
        name = "simulate",
        sortOptions = false,
        description = {
            "Simulate every step of a planned run, from order.json alone: strata as they are drawn, how often"
                    + " rows come, how much of the pools each epoch has seen (compared with drawing with"
                    + " replacement), the minimum share of different rows in a batch, how well epochs are shuffled,"
                    + " steps and rows per rank for every world size. Prints the answer in at most ten lines, and all"
                    + " tables with --verbose.",
            "",
            "Columns with --verbose and in JSON:",
            "  least, mean unique      leastUnique, meanUnique: of a batch's rows, the share of different ones",
            "  coverage                share of the pools' rows that were drawn at least once by the epoch's end",
            "  coverage by chance      coverageByChance: the same for as many draws with replacement",
            "  correlation             of a row's place with that in the epoch before; 0 is a perfect shuffle",
            "  together                share of a batch's pairs that were in one batch in the epoch before",
            "  unseen                  rows of a pool that the whole run never draws",
            "",
            "Reads no rows; about 60 ns and 8 bytes of memory per row. For a job file, the Spark part (pip install"
                    + " 'rankfeed[spark]') counts the strata first, as --dry-run does, and simulates the plan that would"
                    + " be made; it writes none.",
            "",
            "With --lengths, measure every batch of a version instead: how many tokens it has and how much"
                    + " padding, for each world size. Reads the lengths of the rows, not their values. Columns:",
            "  tokens            elements of padded columns and of texts in a step, over all ranks: mean and most",
            "  padding           share of padding in the tensors of the run; worst: in the step that has most",
            "  imbalance         most tokens of a rank in a step by the mean of its ranks; mean over the steps"
        },
        exitCodeList = "0:simulated",
        footer = {
            "  ./rankfeed simulate build/rankfeed/codecontests/plans/0123456789abcdef",
            "  ./rankfeed simulate VERSION-DIR --feed train --pictures pictures --json",
            "  ./rankfeed simulate conf/jobs/codecontests.yaml --set sample.train.epochs=3",
            "  ./rankfeed simulate --lengths VERSION-DIR --config feed.yaml --world 8"
        })
public final class SimulateCommand implements Callable<Integer> {
    /** What only one of the programs with this command can do; the other one says so. */
    public interface Parts {
        /**
         * The order that a job's feeds would have.
         *
         * @param assignments of {@code --set}
         * @throws ConfigException if the job cannot be planned, or this program counts no strata
         */
        Order ofJob(String file, List<String> assignments);

        /** @throws ConfigException if this program maps no lanes, or the version or the feed is unknown */
        void measure(Measured batches, ReportOutput output, CommandSpec spec);

        /** The words of the launcher that give this Java more memory. */
        String moreMemory();
    }

    /**
     * The batches that {@code --lengths} measures.
     *
     * @param version as the user wrote it
     * @param plan over the version, as the user wrote it; otherwise the version's own
     * @param feed the only one; otherwise every feed
     * @param config a feed file, whose columns and rules apply; otherwise every column
     * @param world the only number of ranks; otherwise each that divides the lanes
     */
    public record Measured(
            String version,
            Optional<String> plan,
            Optional<String> feed,
            Optional<Path> config,
            Optional<Integer> world) {}

    private final Store.Finder stores;
    private final Parts parts;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description =
                    "The folder of a plan, a version, a plan over a version, or a mixture; or ROOT/DATASET@latest, or"
                            + " ROOT/DATASET@RUN-ID; or a job file, NAME.yaml.")
    private String path = "";

    @Option(
            names = "--feed",
            paramLabel = "NAME",
            description = "Only this feed. Default: every feed that trains; with --lengths every feed.")
    private Optional<String> feed = Optional.empty();

    @Mixin
    private final PlanWords plan = new PlanWords();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Override one value of a job file, as in --set sample.train.rows=4096. May be repeated. Default: none.")
    private List<String> assignments = new ArrayList<>();

    @Option(names = "--lengths", description = "Measure batches. Default: simulate the plan.")
    private boolean lengths;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "With --lengths: a feed file, whose columns and text rules are applied. Default: every column"
                    + " of the version.")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = "--world",
            paramLabel = "N",
            description = "With --lengths: only this number of ranks. Default: each that divides the lanes.")
    private Optional<Integer> world = Optional.empty();

    @Mixin
    private final ReportOutput output = new ReportOutput();

    /** @param stores those that the program can read */
    public SimulateCommand(Store.Finder stores, Parts parts) {
        this.stores = stores;
        this.parts = parts;
    }

    @Override
    public Integer call() {
        if (lengths) {
            output.requireNoPictures("--lengths");
            parts.measure(new Measured(path, plan.written(), feed, config, world), output, spec);
            return 0;
        } else if (config.isPresent() || world.isPresent()) {
            throw new ConfigException((config.isPresent() ? "--config" : "--world") + " requires --lengths");
        }
        Order order = order();
        Report report = new Report();
        new PlannedRun(order, feed, path, parts.moreMemory())
                .describe(report, spec.commandLine().getErr());
        if (order.plan().equals(OrderId.NONE)) {
            report.fact("plan", "none; counted for " + path);
        }
        output.print(report, spec.commandLine());
        return 0;
    }

    private Order order() {
        if (path.endsWith(".yaml") || path.endsWith(".yml")) {
            return parts.ofJob(path, assignments);
        } else if (!assignments.isEmpty()) {
            throw new ConfigException("--set is for a job file; " + path + " is planned already");
        }
        return Inspection.order(
                path,
                plan.written(),
                stores,
                line -> Console.print(spec.commandLine().getErr(), line));
    }
}
