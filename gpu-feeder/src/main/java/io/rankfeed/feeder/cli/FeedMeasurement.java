package io.rankfeed.feeder.cli;

import io.rankfeed.console.LogLines;
import io.rankfeed.feeder.diagnose.FeedStretch;
import io.rankfeed.feeder.diagnose.MeasuredRun;
import io.rankfeed.feeder.diagnose.MeasuredRun.Measured;
import io.rankfeed.feeder.diagnose.Trainers;
import io.rankfeed.feeder.machine.TrainerPython;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.serve.VersionCatalog;
import io.rankfeed.feeder.serve.admission.Rendezvous;
import io.rankfeed.feeder.serve.admission.RunClaim;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.supervise.MarkedProcesses;
import io.rankfeed.feeder.supervise.ProcessWatch;
import io.rankfeed.feeder.supervise.Program;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Measures one feed of a version, in this process, with trainers that are given or that take batches as fast as they come. */
final class FeedMeasurement {
    private final FeedFlags flags;
    private final String version;
    private final List<String> command;
    private final String program;
    private final long batches;
    private int exitCode;
    private Set<String> formats = Set.of();

    /**
     * @param command the trainers; empty: processes of the client that drop what they take
     * @param python the program of these; empty: the one that rankfeed is installed in
     * @param batches of each rank, 1 or more
     */
    FeedMeasurement(FeedFlags flags, String version, List<String> command, String python, long batches) {
        if (batches < 1) {
            throw new ConfigException("--batches " + batches + ": measure 1 or more");
        }
        String searchPath = System.getenv().getOrDefault("PATH", "");
        if (!command.isEmpty()) {
            Program.require(command.getFirst(), searchPath);
        } else if (!python.isEmpty()) {
            Program.require("--python: ", python, searchPath);
        }
        flags.resolveRanks(System.getenv());
        if (flags.run == null) {
            flags.run = "measure-" + ProcessHandle.current().pid();
        }
        if (command.isEmpty() && flags.world == null) {
            flags.world = 1;
        }
        this.flags = flags;
        this.version = version;
        this.command = command;
        this.batches = batches;
        program = python.isEmpty() ? TrainerPython.program(System.getenv()) : python;
    }

    /** The Python of trainers that are not given. */
    String program() {
        return program;
    }

    /** Feeds, and measures with the flags as they are now. */
    FeedStretch run(LogLines log) throws InterruptedException {
        NodeFeed node = new NodeFeed(flags, version);
        ServeSettings settings = node.plan().settings(node.source());
        String feed = feed(settings);
        Rendezvous rendezvous = node.rendezvous();
        FeedService service = new FeedService(flags, null, rendezvous, NodeFeed.memory(), log);
        AtomicReference<Optional<Measured>> measured = new AtomicReference<>(Optional.empty());
        try (ProcessWatch watch = watch(rendezvous.run())) {
            service.run(node.source(), node.plan(), () -> node.sync(log), server -> {
                List<List<String>> commands = command.isEmpty() ? drains(settings, feed) : List.of(command);
                try (Trainers trainers = Trainers.start(commands, watch, variables(node, rendezvous))) {
                    measured.set(Optional.of(new MeasuredRun(server, feed, log).measure(trainers, batches)));
                }
            });
        }
        Measured found = measured.get().orElseThrow(() -> new EnvironmentException("a signal stopped the measurement"));
        exitCode = found.exitCode();
        formats = node.source().formats();
        return stretch(node, settings, feed, found);
    }

    private static ProcessWatch watch(String run) {
        try {
            return ProcessWatch.start(
                    run, FeedMeasurement.class, NodeFeed.memory().directory().toString());
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("'sh' cannot be started", e), e);
        }
    }

    /** Ends the trainers of a process that was killed, and removes its rings and sockets: run, pid, folder of the rings. */
    public static void main(String[] args) throws InterruptedException {
        MarkedProcesses.end(args[0], Long.parseLong(args[1]));
        RunClaim.sweep(Rendezvous.of(args[0], System.getenv()), new SharedMemory(Path.of(args[2])));
    }

    /** The exit code of trainers that ended while they were measured and failed; otherwise 0. */
    int exitCode() {
        return exitCode;
    }

    /** The formats of the existing datasets that were fed. */
    Set<String> formats() {
        return formats;
    }

    /** The feed to measure: the only one that is served, else the one named train, which trainers take by default. */
    private static String feed(ServeSettings settings) {
        if (settings.feeds().size() == 1) {
            return settings.feeds().first();
        }
        if (settings.feeds().contains("train")) {
            return "train";
        }
        throw new ConfigException(
                "name the feed to measure with --feeds; there are " + String.join(", ", settings.feeds()));
    }

    /** One process for each rank of this node, which takes batches as fast as they come. */
    private List<List<String>> drains(ServeSettings settings, String feed) {
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
                node.source().id(),
                "RANKFEED_PLAN",
                node.source().order().plan(),
                "RANKFEED_WAIT_SECONDS",
                FeedCommand.WAIT_SECONDS);
    }

    private static FeedStretch stretch(NodeFeed node, ServeSettings settings, String feed, Measured measured) {
        VersionCatalog catalog = new VersionCatalog(
                node.source(), node.plan().lanes(), new GatherPool(0), DecodeBudget.DEFAULT_BYTES, line -> {});
        return new FeedStretch(
                feed,
                measured.ranks(),
                measured.seconds(),
                measured.rows(),
                measured.batches(),
                measured.times(),
                catalog.ringBytes(feed, measured.world(), settings.slots(), settings.columnsOf(feed)),
                settings.slots(),
                node.plan().workers(),
                Runtime.getRuntime().availableProcessors());
    }
}
