package io.rankfeed.feeder.cli;

import io.rankfeed.console.Log;
import io.rankfeed.console.LogLines;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.metrics.MetricsAccess;
import io.rankfeed.feeder.metrics.MetricsOptions;
import io.rankfeed.feeder.metrics.MetricsServer;
import io.rankfeed.feeder.plan.NamedOrder;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.serve.FeedServer;
import io.rankfeed.feeder.serve.admission.Rendezvous;
import io.rankfeed.feeder.serve.admission.RunClaim;
import io.rankfeed.feeder.serve.admission.VersionNamed;
import io.rankfeed.feeder.supervise.SupervisedRun;
import io.rankfeed.feeder.supervise.Supervisor;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.run.VersionName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Brings a version to this node and feeds the node's ranks; with a command after {@code --}, runs that next to it. */
@Command(
        name = "feed",
        sortOptions = false,
        customSynopsis = "rankfeed feed [OPTIONS] VERSION-DIR [-- COMMAND ARGS…]",
        description = {
            "Copy a version to this node, check it, and feed the node's ranks until it is stopped.%n With a"
                    + " command after -- both run together: the command starts when the feeder serves, a feeder that"
                    + " dies is restarted, and the end of the command ends everything; its exit code is this one's.%n"
                    + " SIGTERM gives the command's processes 10 s to end, then SIGKILL; Ctrl-C lets the command end"
                    + " by itself for 10 s before that. If this process is killed, the feeder ends the command and"
                    + " then itself.%n A feeder is not restarted if it ends with 2 or 3, ends by itself before it ever"
                    + " served, fails five times without 10 s of service in between, or is killed (as for lack of"
                    + " memory) more than 30 times in 10 minutes of service; the command is then ended, and the"
                    + " feeder's exit code is this one's."
        },
        exitCodeList = {"0:the command after -- ended with it", "other:the exit code of the command after --"},
        footer = {
            "  rankfeed feed /data/out/codecontests/versions/0123456789abcdef --ranks 0-3 --world 4",
            "  rankfeed feed /data/out/codecontests@latest --in-place -- torchrun --nproc-per-node 4 train.py",
            "  srun --ntasks-per-node 1 rankfeed feed VERSION-DIR --ranks auto -- torchrun …"
        })
public final class FeedCommand implements Callable<Integer> {
    /** The time in seconds for which a trainer that starts during a restart of the feeder waits for it. */
    static final String WAIT_SECONDS = "60";

    @Spec
    private CommandSpec spec;

    @Mixin
    private FeedFlags flags;

    /** Set by the supervisor. */
    @Option(names = "--pinned-plan", hidden = true)
    private Optional<String> pinnedPlan = Optional.empty();

    @Option(
            names = "--dry-run",
            description =
                    "Check options, feed file and version, print the tensors of a batch and the memory of the rings,"
                            + " and end.")
    private boolean isDryRun;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write what each rank took to this JSON file, written every second and at the end: what"
                    + " a feeder that is killed served in its last second is not in it. Default: none.")
    private @Nullable Path report;

    @Mixin
    private MetricsOptions metrics = new MetricsOptions();

    @Parameters(
            index = "0",
            paramLabel = "VERSION-DIR",
            description = "The folder that export wrote: local, mounted, or an address in a remote store, as in"
                    + " hdfs://name/shop/versions/0123456789abcdef. Or ROOT/DATASET@latest, or"
                    + " ROOT/DATASET@RUN-ID, for the version of a run. Or the folder of a mixture, as in"
                    + " ROOT/mixtures/0123456789abcdef.")
    private String version;

    @Parameters(
            index = "1..*",
            paramLabel = "-- COMMAND",
            arity = "0..*",
            description = "The command to run with the feeder, as in torchrun.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws InterruptedException {
        FeederCommandLine.requireDoubleDash(spec, version, command);
        flags.resolveRanks(System.getenv());
        pinnedPlan.ifPresent(flags.plan::pin);
        if (VersionLocation.isLatest(version)) {
            flags.named = VersionNamed.LATEST;
        }
        Optional<MetricsAccess> access = metrics.parse(System.getenv());
        if (isDryRun) {
            return dry();
        }
        LogLines log = flags.logOption.start();
        return command.isEmpty() ? serve(log, access) : supervise(log.prefixed(FeedService.LOG_PREFIX));
    }

    private int dry() {
        NodeFeed feed = new NodeFeed(flags, version);
        Rendezvous rendezvous = feed.rendezvous();
        feed.plan().settings(feed.source()).ranks().forEach(rendezvous::socket);
        new FeedDryRun(feed.source(), feed.plan()).print(System.out);
        return 0;
    }

    private int serve(LogLines log, Optional<MetricsAccess> access) throws InterruptedException {
        NodeFeed feed = new NodeFeed(flags, version);
        FeedService service = new FeedService(flags, report, feed.rendezvous(), NodeFeed.memory(), log);
        long restarts = SupervisedRun.restarts(System.getenv());
        LiveState state = new LiveState(feed, service, restarts);
        Optional<MetricsServer> shown = access.flatMap(
                at -> at.start(state::isReady, state::read, restarts, log.prefixed(FeedService.LOG_PREFIX)));
        try {
            return service.run(feed.source(), feed.plan(), () -> feed.sync(log, state));
        } finally {
            shown.ifPresent(MetricsServer::close);
        }
    }

    private int supervise(Log log) throws InterruptedException {
        // A restarted feeder feeds the same version, plan or mixture, even if others were exported or named in the
        // meantime.
        VersionName.Located found = VersionLocation.located(version);
        String location = NamedOrder.location(found.folder());
        flags.planOfRun = found.order();
        OpenOrder opened = new NodeFeed(flags, location).source();
        String id = opened.id();
        String named = flags.run;
        String run = named == null ? id + "-" + ProcessHandle.current().pid() : named;
        List<String> more = new ArrayList<>(named == null ? List.of("--run", run) : List.of());
        more.addAll(List.of("--named", flags.named.name()));
        new FeedPlan(flags).pinned(location, opened).ifPresent(plan -> more.addAll(List.of("--pinned-plan", plan)));
        Rendezvous rendezvous = Rendezvous.of(run, System.getenv());
        dropOldReport();
        SharedMemory memory = NodeFeed.memory();
        return Supervisor.run(new SupervisedRun(
                rendezvous.run(),
                FeederCommandLine.of(spec, Map.of(version, location), more),
                command,
                Map.of(
                        "RANKFEED_RUN",
                        rendezvous.run(),
                        "RANKFEED_VERSION",
                        id,
                        "RANKFEED_PLAN",
                        opened.order().plan(),
                        "RANKFEED_WAIT_SECONDS",
                        WAIT_SECONDS),
                Set.of(MetricsOptions.TOKEN_VARIABLE),
                pid -> FeedServer.isReady(rendezvous, pid),
                () -> RunClaim.sweep(rendezvous, memory),
                log::warning));
    }

    /**
     * Deletes the report of an earlier run: a restarted feeder adds to the report of its predecessor, and the first
     * feeder has no predecessor.
     */
    private void dropOldReport() {
        try {
            if (report != null) {
                Files.deleteIfExists(report);
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("report " + report + " cannot be replaced", e), e);
        }
    }
}
