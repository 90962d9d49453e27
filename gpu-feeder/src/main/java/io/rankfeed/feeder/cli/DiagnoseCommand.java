package io.rankfeed.feeder.cli;

import io.rankfeed.console.LogLines;
import io.rankfeed.feeder.diagnose.DiagnosisReport;
import io.rankfeed.feeder.diagnose.FeedDiagnosis;
import io.rankfeed.feeder.diagnose.FeedStretch;
import io.rankfeed.feeder.diagnose.MeasuredRun;
import io.rankfeed.feeder.diagnose.MeasuredRun.Measured;
import io.rankfeed.feeder.diagnose.Trainers;
import io.rankfeed.feeder.machine.Finding;
import io.rankfeed.feeder.machine.Machine;
import io.rankfeed.feeder.machine.MachineRules;
import io.rankfeed.feeder.machine.TrainerPython;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.serve.VersionCatalog;
import io.rankfeed.feeder.serve.admission.Rendezvous;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
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
        if (flags.isDryRun || flags.report != null) {
            throw new ConfigException("--dry-run and --report are options of rankfeed feed; omit them");
        }
        if (batches < 1) {
            throw new ConfigException("--batches " + batches + ": measure 1 or more");
        }
        flags.resolveRanks(System.getenv());
        if (flags.run == null) {
            flags.run = "diagnose-" + ProcessHandle.current().pid();
        }
        if (command.isEmpty() && flags.world == null) {
            flags.world = 1;
        }
        NodeFeed node = new NodeFeed(flags, version);
        ServeSettings settings = node.plan().settings(node.source());
        String feed = feed(settings);
        String program = python.isEmpty() ? TrainerPython.program(System.getenv()) : python;
        List<Finding> findings =
                MachineRules.findings(Machine.look(NodeFeed.cacheFolder(flags), program, System.getenv()));
        Measured measured = measure(node, settings, feed, program);
        output.print(
                DiagnosisReport.of(FeedDiagnosis.of(stretch(node, settings, feed, measured)), findings),
                spec.commandLine());
        return 0;
    }

    /** The feed to measure: the only one that is served, else the one named train, which trainers take by default. */
    private String feed(ServeSettings settings) {
        if (settings.feeds().size() == 1) {
            return settings.feeds().first();
        }
        if (settings.feeds().contains("train")) {
            return "train";
        }
        throw new ConfigException(
                "name the feed to measure with --feeds; there are " + String.join(", ", settings.feeds()));
    }

    private Measured measure(NodeFeed node, ServeSettings settings, String feed, String program)
            throws InterruptedException {
        LogLines log = flags.logOption.start();
        Rendezvous rendezvous = node.rendezvous();
        FeedService service = new FeedService(flags, rendezvous, NodeFeed.memory(), log);
        AtomicReference<Measured> measured = new AtomicReference<>();
        service.run(node.source(), node.plan(), () -> node.sync(log), server -> {
            List<List<String>> commands = command.isEmpty() ? drains(settings, feed, program) : List.of(command);
            try (Trainers trainers = Trainers.start(commands, rendezvous.run(), variables(node, rendezvous))) {
                measured.set(new MeasuredRun(server, feed).measure(trainers, batches));
            }
        });
        return Objects.requireNonNull(measured.get(), "stopped by a signal");
    }

    /** One process for each rank of this node, which takes batches as fast as they come. */
    private List<List<String>> drains(ServeSettings settings, String feed, String program) {
        int world = settings.world().orElse(1);
        List<List<String>> commands = new ArrayList<>();
        for (int rank : settings.ranks()) {
            commands.add(List.of(
                    program, "-P", "-m", "rankfeed.drain", feed, Integer.toString(rank), Integer.toString(world)));
        }
        return commands;
    }

    private static Map<String, String> variables(NodeFeed node, Rendezvous rendezvous) {
        return Map.of(
                "RANKFEED_RUN",
                rendezvous.run(),
                "RANKFEED_VERSION",
                node.source().manifest().id(),
                "RANKFEED_PLAN",
                node.source().order().plan(),
                "RANKFEED_WAIT_SECONDS",
                FeedCommand.WAIT_SECONDS);
    }

    private FeedStretch stretch(NodeFeed node, ServeSettings settings, String feed, Measured measured) {
        VersionCatalog catalog = new VersionCatalog(
                node.source(), node.plan().lanes(), new GatherPool(0), DecodeBudget.DEFAULT_BYTES, line -> {});
        int world = measured.world();
        return new FeedStretch(
                feed,
                measured.ranks(),
                measured.seconds(),
                measured.rows(),
                measured.batches(),
                measured.times(),
                catalog.ringBytes(feed, world, settings.slots(), settings.columnsOf(feed)),
                settings.slots(),
                node.plan().workers(),
                Runtime.getRuntime().availableProcessors());
    }
}
