package io.rankfeed.feeder.cli;

import io.rankfeed.console.Console;
import io.rankfeed.feeder.diagnose.DiagnosisReport;
import io.rankfeed.feeder.diagnose.FeedDiagnosis;
import io.rankfeed.feeder.diagnose.FeedStretch;
import io.rankfeed.feeder.machine.Finding;
import io.rankfeed.feeder.machine.Finding.Level;
import io.rankfeed.feeder.machine.Machine;
import io.rankfeed.feeder.machine.MachineRules;
import io.rankfeed.report.ReportOutput;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures a feed and says what limits it. */
@Command(
        name = "diagnose",
        sortOptions = false,
        customSynopsis = "rankfeed diagnose [OPTIONS] VERSION-DIR [-- COMMAND ARGS…]",
        description = {
            "Feed a version for some batches and print what limits the feed: its bottleneck, the times of a batch, rows per second"
                    + " of feeder and trainers, what prefetching gains, settings that are recommended, and what is wrong"
                    + " with the machine.%n With a command after -- its trainers take the batches and are ended"
                    + " afterwards; without one, batches are taken as fast as they come. What trainers print goes to stderr."
        },
        exitCodeList = "0:measured",
        footer = {
            "  rankfeed diagnose /data/out/codecontests@latest --config conf/feeds/codecontests.yaml",
            "  rankfeed diagnose VERSION-DIR --world 4 -- torchrun --nproc-per-node 4 train.py"
        })
public final class DiagnoseCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--batches",
            paramLabel = "N",
            description =
                    "Number of batches of each rank that are measured, after 20 that are not, for at least 4 s; of a shorter"
                            + " run, those that there are. Default: 200.")
    private long batches = 200;

    @Option(
            names = "--python",
            paramLabel = "PROGRAM",
            description =
                    "The Python that takes batches where no command is given. Default: the one that rankfeed is installed in.")
    private String python = "";

    @Mixin
    private FeedFlags flags;

    @Mixin
    private final ReportOutput output = new ReportOutput();

    @Parameters(
            index = "0",
            paramLabel = "VERSION-DIR",
            description = "A version, as for feed: a folder, an address in a remote store, or ROOT/DATASET@latest.")
    private String version;

    @Parameters(
            index = "1..*",
            paramLabel = "-- COMMAND",
            arity = "0..*",
            description = "The trainers, as in torchrun.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws InterruptedException {
        FeederCommandLine.requireDoubleDash(spec, version, command);
        FeedMeasurement measurement = new FeedMeasurement(flags, version, command, python, batches);
        List<Finding> findings = MachineRules.findings(
                Machine.look(NodeFeed.cacheFolder(flags), measurement.program(), System.getenv()));
        findings.stream()
                .filter(one -> one.level() == Level.ERROR || one.level() == Level.WARNING)
                .forEach(one -> Console.print(
                        spec.commandLine().getErr(),
                        one.word() + ": " + one.check() + ": " + one.found() + "; " + one.remedy()));
        output.makeFolder();
        FeedStretch stretch = measurement.run(flags.logOption.start());
        output.print(
                DiagnosisReport.of(FeedDiagnosis.of(stretch), measurement.exitCode(), findings, measurement.formats()),
                spec.commandLine());
        return 0;
    }
}
