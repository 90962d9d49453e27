package io.rankfeed.feeder.cli;

import io.rankfeed.feeder.cache.ArtifactFolder;
import io.rankfeed.feeder.cache.LaneVerifier;
import io.rankfeed.feeder.sync.LocalCheck;
import io.rankfeed.feeder.sync.ParallelFiles;
import io.rankfeed.feeder.sync.SyncProgress;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Reads every byte of files of one artifact, and compares them with its manifest. */
final class ArtifactCheck {
    private static final int MAX_THREADS = 4;

    private final ArtifactFolder folder;
    private final Manifest manifest;
    private final List<ArtifactFile> files;
    private final Optional<LaneVerifier> lanes;
    private final Queue<String> damages = new ConcurrentLinkedQueue<>();
    private final AtomicLong recordBatches = new AtomicLong();

    /**
     * @param files those of the manifest that are checked
     * @param lanes checks the lanes of a version
     */
    ArtifactCheck(ArtifactFolder folder, Manifest manifest, List<ArtifactFile> files, Optional<LaneVerifier> lanes) {
        this.folder = folder;
        this.manifest = manifest;
        this.files = files;
        this.lanes = lanes;
    }

    /** Returns the size of the files. */
    long bytes() {
        return files.stream().mapToLong(ArtifactFile::bytes).sum();
    }

    /** The number of threads that read files. */
    static int threads() {
        return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_THREADS);
    }

    /** Checks the files, and returns what is damaged, sorted. */
    List<String> run(SyncProgress progress) {
        ParallelFiles.forEach(files, threads(), () -> {
            LocalCheck check = new LocalCheck(folder, progress);
            return file -> check(file, check);
        });
        lanes.ifPresent(checked -> {
            boolean isWhole =
                    damages.isEmpty() && files.size() == manifest.files().size();
            damages.addAll(
                    checked.wrongLengths(isWhole ? LaneVerifier.Extent.EVERY_LANE : LaneVerifier.Extent.SOME_LANES));
        });
        return damages.stream().sorted().toList();
    }

    private void check(ArtifactFile file, LocalCheck check) {
        try {
            check.require(file);
            lanes.ifPresent(lane -> recordBatches.addAndGet(lane.verify(file)));
        } catch (CorruptDataException e) {
            damages.add(inner(file).orElse(String.valueOf(e.getMessage())));
        }
    }

    /** Finds the damage by the structure of the file, as the digest shows only that the file is damaged. */
    private Optional<String> inner(ArtifactFile file) {
        try {
            lanes.ifPresent(lane -> lane.verify(file));
            return Optional.empty();
        } catch (CorruptDataException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Describes what was checked, and whether it is intact. */
    String line(double seconds) {
        return String.format(
                Locale.ROOT,
                "%s %s of dataset %s: %s, %s, %s%s%s: %s (%.1f s)",
                List.of(manifest.format().id().split("\\.")).getLast(),
                manifest.id(),
                manifest.dataset(),
                Plural.counted(files.size(), "file"),
                ByteSize.rounded(bytes()),
                Plural.counted(manifest.rows(), "row"),
                manifest instanceof Manifest.Prepared prepared && prepared.isInPlace()
                        ? " in their source's own files, which are not looked at"
                        : "",
                recordBatches.get() > 0
                        ? ", " + Plural.counted(recordBatches.get(), "record batch", "record batches")
                        : "",
                damages.isEmpty() ? "intact" : damages.size() + " DAMAGED",
                seconds);
    }
}
