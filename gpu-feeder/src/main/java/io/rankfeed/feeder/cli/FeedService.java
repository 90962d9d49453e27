package io.rankfeed.feeder.cli;

import io.rankfeed.console.Log;
import io.rankfeed.console.LogEvent;
import io.rankfeed.console.LogLines;
import io.rankfeed.console.PrintableStream;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.governor.Governor;
import io.rankfeed.feeder.pool.GatherPool;
import io.rankfeed.feeder.ranks.RankList;
import io.rankfeed.feeder.ring.SharedMemory;
import io.rankfeed.feeder.serve.FeedServer;
import io.rankfeed.feeder.serve.VersionCatalog;
import io.rankfeed.feeder.serve.admission.LimitCheck;
import io.rankfeed.feeder.serve.admission.Rendezvous;
import io.rankfeed.feeder.serve.admission.RunClaim;
import io.rankfeed.feeder.serve.admission.ServeSettings;
import io.rankfeed.feeder.supervise.MarkedProcesses;
import io.rankfeed.feeder.transform.CanvasMaker;
import io.rankfeed.feeder.transform.DecodeBudget;
import io.rankfeed.schema.failure.EnvironmentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One feeder process from its words to its signal: serves, reports, and on SIGTERM or SIGINT drains. */
final class FeedService {
    /** What begins the lines of this command, next to those of its trainers. */
    static final String LOG_PREFIX = "rankfeed feed: ";

    private static final int EXIT_TERMINATED = 143;
    private static final long TICK_MILLIS = 1_000;
    private static final long LINE_EVERY_TICKS = 10;
    private static final long REDRAW_EVERY_TICKS = 2;

    private final FeedFlags flags;
    private final @Nullable Path report;
    private final Rendezvous rendezvous;
    private final SharedMemory memory;
    private final LogLines lines;
    private final Log log;
    private final FeedProgress progress = new FeedProgress();
    private final FeedTimes times;
    private final FeedReport earlier;
    private volatile @Nullable VersionCatalog catalog;
    private @Nullable RunClaim claim;
    private volatile @Nullable FeedServer server;
    private @Nullable Governor governor;
    private volatile boolean isStopping;
    private boolean isReportLost;

    /** What is done while trainers can attach; the feed ends with it. */
    interface WhileServing {
        void run(FeedServer server) throws InterruptedException;
    }

    /** @param report the file that gets what each rank took */
    FeedService(FeedFlags flags, @Nullable Path report, Rendezvous rendezvous, SharedMemory memory, LogLines lines) {
        this.flags = flags;
        this.report = report;
        this.rendezvous = rendezvous;
        this.memory = memory;
        this.lines = lines;
        log = lines.prefixed(LOG_PREFIX);
        times = new FeedTimes(log, System.nanoTime());
        earlier = flags.supervisorPid != 0 && report != null && Files.exists(report)
                ? FeedReport.read(report)
                : FeedReport.EMPTY;
    }

    /**
     * Copies the version and serves until the process is signalled, or until its supervisor is gone. What can be known
     * before the copy begins is checked before it: words that do not fit the version, a report that cannot be written,
     * a run that is fed already, rings that are too large.
     *
     * @param source the version or mixture where it is
     * @param sync copies the needed files to this node and returns the version or mixture there
     */
    int run(OpenOrder source, FeedPlan plan, Supplier<OpenOrder> sync) throws InterruptedException {
        return run(source, plan, sync, this::reportUntilOrphaned);
    }

    /** As {@link #run(OpenOrder, FeedPlan, Supplier)}, with something else to do until the feed ends. */
    int run(OpenOrder source, FeedPlan plan, Supplier<OpenOrder> sync, WhileServing whileServing)
            throws InterruptedException {
        ServeSettings settings = plan.settings(source);
        settings.ranks().forEach(rendezvous::socket);
        if (settings.hasPipelines()) {
            CanvasMaker.find();
        }
        if (report != null && Files.notExists(report)) {
            FeedReport.EMPTY.write(report);
        }
        GatherPool pool = new GatherPool(plan.workers());
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "rankfeed-drain"));
        } catch (IllegalStateException e) {
            // A signal came first: the virtual machine ends with its code.
            return EXIT_TERMINATED;
        }
        try {
            RunClaim mine = claim(source.id());
            if (mine != null) {
                LimitCheck.requireFiles(settings, plan.workers(), log::warning);
                VersionCatalog unsynced = new VersionCatalog(source, plan.lanes(), pool, 0, log::warning);
                long ringBytes = mine.requireSpace(unsynced, settings, log::warning);
                long mappedBytes = Math.addExact(source.laneBytes(plan.lanes()), source.filledBytes(settings.feeds()));
                LimitCheck.requireAddresses(Math.addExact(ringBytes, mappedBytes));
                long decodeBytes = Math.min(DecodeBudget.DEFAULT_BYTES, settings.memoryBytes() - ringBytes);
                VersionCatalog catalog = new VersionCatalog(sync.get(), plan.lanes(), pool, decodeBytes, log::warning);
                catalog.map(settings.feeds(), plan.verification());
                serve(mine, catalog, settings, server -> {
                    governor = plan.governor(pool, settings, server::readAhead, log)
                            .orElse(null);
                    whileServing.run(server);
                });
            }
        } finally {
            stop();
        }
        return EXIT_TERMINATED;
    }

    private synchronized @Nullable RunClaim claim(String version) {
        if (!isStopping) {
            claim = RunClaim.take(rendezvous, version, memory);
        }
        return claim;
    }

    private void serve(RunClaim held, VersionCatalog catalog, ServeSettings settings, WhileServing whileServing)
            throws InterruptedException {
        FeedServer mine = start(held, catalog, settings);
        if (mine != null) {
            log.write(LogEvent.info("feeding " + catalog.words() + " (feeds "
                            + String.join(", ", settings.feeds()) + "; " + ranks(settings) + ") as run '"
                            + rendezvous.run() + "' at " + rendezvous.directory())
                    .with("version", catalog.version())
                    .with("run", rendezvous.run()));
            whileServing.run(mine);
        }
    }

    /**
     * Describes the ranks for a message: every possible rank has a socket, and the number of trainers is known only if
     * a world is set.
     */
    private String ranks(ServeSettings settings) {
        String world = settings.world().isPresent()
                ? " of a world of " + settings.world().getAsInt()
                : " of the first trainer's world";
        return flags.ranks == null && settings.world().isEmpty()
                ? "every rank" + world + ", " + settings.ranks().size() + " at most"
                : (settings.ranks().size() == 1 ? "rank " : "ranks ") + RankList.text(settings.ranks()) + world;
    }

    private synchronized @Nullable FeedServer start(RunClaim held, VersionCatalog catalog, ServeSettings settings) {
        if (!isStopping) {
            server = FeedServer.start(held, catalog, settings, log);
            this.catalog = catalog;
        }
        return server;
    }

    /** The server, once trainers can attach; also while it stops. */
    Optional<FeedServer> server() {
        return Optional.ofNullable(server);
    }

    /** What is served, if there is a server. */
    Optional<VersionCatalog> catalog() {
        return Optional.ofNullable(catalog);
    }

    boolean isStopping() {
        return isStopping;
    }

    private void reportUntilOrphaned(FeedServer mine) throws InterruptedException {
        CountDownLatch orphaned = new CountDownLatch(1);
        if (flags.supervisorPid != 0) {
            ProcessHandle.of(flags.supervisorPid)
                    .ifPresentOrElse(parent -> countDownAtEnd(parent, orphaned), orphaned::countDown);
        }
        boolean isRedrawn = flags.progress().isBar() && flags.supervisorPid == 0;
        long every = isRedrawn ? REDRAW_EVERY_TICKS : LINE_EVERY_TICKS;
        for (long tick = 1; !orphaned.await(TICK_MILLIS, TimeUnit.MILLISECONDS); tick++) {
            keepReportWhileServing(mine);
            if (flags.progress() != ProgressStyle.NONE && tick % every == 0) {
                show(progress.events(mine.ranks(), (double) every), isRedrawn);
            }
            if (governor != null) {
                governor.look(System.nanoTime(), mine.ranks());
            }
            if (times.isDue(System.nanoTime())) {
                times.minute(System.nanoTime(), mine.ranks());
            }
        }
        log.warning("the supervisor is gone; its command is ended");
        MarkedProcesses.end(rendezvous.run(), flags.supervisorPid);
    }

    /** Shows the progress of all ranks: as one line of text, or as an object for each. */
    private void show(List<LogEvent> ranks, boolean isRedrawn) {
        String line = ranks.stream().map(LogEvent::message).collect(Collectors.joining(" | "));
        if (lines.isJson()) {
            ranks.forEach(lines::write);
        } else if (isRedrawn && !line.isEmpty()) {
            PrintableStream.redraw(System.err, line);
        } else if (!line.isEmpty()) {
            lines.info(line);
        }
    }

    private static void countDownAtEnd(ProcessHandle process, CountDownLatch latch) {
        Thread.ofVirtual().start(() -> {
            process.onExit().join();
            latch.countDown();
        });
    }

    /** Writes the report, except after {@link #stop}, which writes the last one. */
    private synchronized void keepReportWhileServing(FeedServer mine) {
        if (!isStopping) {
            keepReport(mine);
        }
    }

    /** Writes the report. Trainers do not need it, so a failure is logged once and does not end the feeder. */
    private synchronized FeedReport keepReport(FeedServer mine) {
        VersionCatalog served = catalog;
        FeedReport all = served == null ? earlier : FeedReport.sum(earlier, FeedReport.of(mine.ranks(), served));
        if (report != null) {
            try {
                all.write(report);
            } catch (EnvironmentException e) {
                if (!isReportLost) {
                    log.warning(e.getMessage() + "; feeding continues without it");
                }
                isReportLost = true;
            }
        }
        return all;
    }

    private synchronized void stop() {
        if (isStopping) {
            return;
        }
        isStopping = true;
        FeedServer mine = server;
        if (mine != null) {
            mine.close();
            FeedReport all = keepReport(mine);
            times.end(mine.ranks());
            if (flags.progress() != ProgressStyle.NONE) {
                (lines.isJson() ? all.rejections() : all.table()).forEach(lines::write);
                decoderMessages()
                        .forEach((reason, count) ->
                                lines.write(FeedReport.counted("messages of image decoders", reason, count)));
            }
        }
        RunClaim held = claim;
        if (held != null) {
            held.close();
        }
    }

    private Map<String, Long> decoderMessages() {
        VersionCatalog served = catalog;
        return served == null ? Map.of() : served.decoderMessages();
    }
}
