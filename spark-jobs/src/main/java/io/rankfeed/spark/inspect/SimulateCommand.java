package io.rankfeed.spark.inspect;

import io.rankfeed.report.PlannedRun;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Walks through a planned run without its rows. */
@Command(
        name = "simulate",
        description = {
            "Walk through every step of a planned run, from order.json alone: strata as they are drawn, how"
                    + " often rows come, how much of the pools each epoch has seen (compared with drawing with"
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
            "Reads no rows and starts no Spark session; about 60 ns and 8 bytes of memory per row. Given a"
                    + " job file it counts the strata in Spark first, as --dry-run does, and simulates the plan that"
                    + " would be made; it writes none.",
            "",
            "With --lengths it measures the batches of a version instead: tokens and padding for each world"
                    + " size (./rankfeed simulate --lengths --help)."
        },
        footer = {
            "  ./rankfeed simulate build/rankfeed/codecontests/plans/0123456789abcdef",
            "  ./rankfeed simulate VERSION-DIR --feed train --pictures pictures --json",
            "  ./rankfeed simulate conf/jobs/codecontests.yaml --set sample.train.epochs=3"
        })
public final class SimulateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description = "The folder of a plan or a version, on any Hadoop path; or a job file, NAME.yaml.")
    private String path = "";

    @Option(names = "--feed", paramLabel = "NAME", description = "Only this feed. Default: every one that trains.")
    private @Nullable String feed;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Override one value of a job file, as in --set sample.train.rows=4096. May be repeated. Default: none.")
    private List<String> assignments = new ArrayList<>();

    @Mixin
    private final ReportOutput output = new ReportOutput();

    @Override
    public Integer call() {
        Order order = order();
        Report report = new Report();
        PlannedRun run = new PlannedRun(order, Optional.ofNullable(feed), path, "--spark \"--driver-memory 16g\"");
        run.describe(report, spec.commandLine().getErr());
        if (order.plan().equals(JobOrder.NO_PLAN)) {
            report.fact("plan", "none; counted for " + path);
        }
        output.print(report, spec.commandLine());
        return 0;
    }

    private Order order() {
        if (JobOrder.isJob(path)) {
            return JobOrder.of(path, assignments, InspectCommand.hadoop());
        } else if (!assignments.isEmpty()) {
            throw new ConfigException("--set is for a job file; " + path + " is planned already");
        }
        return Inspection.order(path, InspectCommand.hadoop());
    }
}
