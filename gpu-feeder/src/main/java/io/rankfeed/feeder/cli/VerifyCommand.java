package io.rankfeed.feeder.cli;

import io.rankfeed.console.Console;
import io.rankfeed.console.LogLines;
import io.rankfeed.console.LogOption;
import io.rankfeed.console.ProgressOption;
import io.rankfeed.feeder.cache.ArtifactFolder;
import io.rankfeed.feeder.cache.LaneFileName;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.LaneVerifier;
import io.rankfeed.feeder.plan.PlanOption;
import io.rankfeed.feeder.ranks.RankList;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.feeder.sync.LocalCheck;
import io.rankfeed.feeder.sync.ParallelFiles;
import io.rankfeed.feeder.sync.SyncProgress;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads every byte of an artifact and says what is damaged, and where. */
@Command(
        name = "verify",
        sortOptions = false,
        customSynopsis = "rankfeed verify [OPTIONS] PATH",
        description =
                "Read every byte of a prepared table, a plan or a version and check it against its manifest: length and"
                        + " SHA-256 of each file; of a version also the structure of each lane, its rows by order.json,"
                        + " the CRC32C of each record batch, every offset and the longest row of each column. Names"
                        + " the file and the byte of each damage.",
        exitCodeList = {"0:intact"},
        footer = "  rankfeed verify /data/out/codecontests/versions/0123456789abcdef")
public final class VerifyCommand implements Callable<Integer> {
    private static final int EXIT_INTACT = 0;
    private static final int EXIT_DAMAGED = 3;
    private static final int MAX_THREADS = 4;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PATH", description = "The artifact's folder, the one with manifest.json.")
    private String words = "";

    @Mixin
    private PlanOption plan = new PlanOption();

    @Option(
            names = "--ranks",
            paramLabel = "LIST",
            description =
                    "Only the lanes of these ranks, as in 0-3,6, for a cache that holds no others; requires --world."
                            + " Default: every lane.")
    private Optional<String> ranks = Optional.empty();

    @Option(names = "--world", paramLabel = "N", description = "Number of ranks; requires --ranks.")
    private int world;

    @Mixin
    private ProgressOption progressOption = new ProgressOption();

    @Mixin
    private LogOption logOption = new LogOption();

    private final Queue<String> damages = new ConcurrentLinkedQueue<>();
    private final AtomicLong recordBatches = new AtomicLong();

    @Override
    public Integer call() {
        LogLines log = logOption.start();
        Path path = VersionLocation.local(words, "verify");
        if (!Files.isDirectory(path) || Files.notExists(path.resolve("manifest.json"))) {
            throw new ConfigException(path + ": no artifact is there; give the folder that holds a manifest.json");
        }
        long startNanos = System.nanoTime();
        ArtifactFolder folder = ArtifactFolder.at(path);
        Manifest manifest = ManifestJson.read(folder.root());
        LaneVerifier lanes = manifest.format() == ArtifactFormat.VERSION ? new LaneVerifier(plan.open(folder)) : null;
        if (lanes == null && plan.written().isPresent()) {
            throw new ConfigException("--plan requires a version, and " + path + " is not one");
        }
        if (manifest.format() == ArtifactFormat.PLAN) {
            OrderJson.read(folder.root().resolve(Order.FILE_NAME));
        }
        List<ArtifactFile> files = selected(manifest);
        long bytes = files.stream().mapToLong(ArtifactFile::bytes).sum();
        SyncProgress progress =
                SyncProgress.start("verify " + manifest.id(), bytes, logOption.style(progressOption), log);
        try (progress) {
            int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_THREADS);
            ParallelFiles.forEach(files, threads, () -> {
                LocalCheck check = new LocalCheck(folder, progress);
                return file -> check(file, check, Optional.ofNullable(lanes));
            });
        }
        if (lanes != null) {
            boolean isWhole =
                    damages.isEmpty() && files.size() == manifest.files().size();
            damages.addAll(
                    lanes.wrongLengths(isWhole ? LaneVerifier.Extent.EVERY_LANE : LaneVerifier.Extent.SOME_LANES));
        }
        return report(manifest, files.size(), bytes, System.nanoTime() - startNanos);
    }

    private List<ArtifactFile> selected(Manifest manifest) {
        if (ranks.isEmpty() && world == 0) {
            return manifest.files();
        }
        if (ranks.isEmpty() || world < 1) {
            throw new ConfigException("--ranks and --world go together; write both, as --ranks 0-3 --world 8");
        }
        LaneSelection lanes = new LaneSelection(List.copyOf(RankList.parse(ranks.get())), world);
        return manifest.files().stream()
                .filter(file -> LaneFileName.parse(file.path())
                        .map(name -> lanes.contains(name.lane()))
                        .orElse(true))
                .toList();
    }

    private void check(ArtifactFile file, LocalCheck check, Optional<LaneVerifier> lanes) {
        try {
            check.require(file);
            lanes.ifPresent(lane -> recordBatches.addAndGet(lane.verify(file)));
        } catch (CorruptDataException e) {
            damages.add(inner(file, lanes).orElse(String.valueOf(e.getMessage())));
        }
    }

    /** Finds the damage by the structure of the file, as the digest shows only that the file is damaged. */
    private static Optional<String> inner(ArtifactFile file, Optional<LaneVerifier> lanes) {
        try {
            lanes.ifPresent(lane -> lane.verify(file));
            return Optional.empty();
        } catch (CorruptDataException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private int report(Manifest manifest, int files, long bytes, long nanos) {
        PrintWriter err = spec.commandLine().getErr();
        damages.stream().sorted().forEach(damage -> Console.print(err, damage));
        double seconds = Math.max(nanos, 1) / 1e9;
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        "%s %s of dataset %s: %s, %s, %s%s%s: %s (%.1f s)%n",
                        kind(manifest),
                        manifest.id(),
                        manifest.dataset(),
                        Plural.counted(files, "file"),
                        ByteSize.rounded(bytes),
                        Plural.counted(manifest.rows(), "row"),
                        manifest instanceof Manifest.Prepared prepared && prepared.isInPlace()
                                ? " in their source's own files, which are not looked at"
                                : "",
                        recordBatches.get() > 0
                                ? ", " + Plural.counted(recordBatches.get(), "record batch", "record batches")
                                : "",
                        damages.isEmpty() ? "intact" : damages.size() + " DAMAGED",
                        seconds);
        return damages.isEmpty() ? EXIT_INTACT : EXIT_DAMAGED;
    }

    private static String kind(Manifest manifest) {
        return List.of(manifest.format().id().split("\\.")).getLast();
    }
}
