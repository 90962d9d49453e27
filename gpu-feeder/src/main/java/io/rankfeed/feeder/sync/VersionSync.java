package io.rankfeed.feeder.sync;

import io.rankfeed.feeder.cache.ArtifactFolder;
import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.LaneFileName;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.manifest.Stamps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Copies a version, or some ranks' lanes of it, to {@code <cache>/<dataset>/<version id>/}. A file is there under its
 * name only when it is whole; {@code manifest.json} comes last. Several feeders may sync and read at once: files are
 * replaced, never written over, and one process at a time writes into a version's folder.
 */
public final class VersionSync {
    private final SyncRequest request;
    private final ArtifactSource source;
    private final Manifest.Version manifest;
    private final Path target;

    private VersionSync(SyncRequest request, Manifest.Version manifest) {
        this.request = request;
        this.source = request.version();
        this.manifest = manifest;
        this.target = request.cacheFolder().resolve(manifest.dataset()).resolve(manifest.id());
    }

    /**
     * Copies or verifies the requested lanes and returns the folder to open.
     *
     * @throws ConfigException if the source is not a version
     * @throws CorruptDataException if it differs from its manifest
     * @throws EnvironmentException if the disk is too small, or something cannot be read or written
     */
    public static Path run(SyncRequest request) {
        Manifest.Version manifest = OpenVersion.manifestOf(request.version());
        VersionSync sync = new VersionSync(request, manifest);
        try {
            if (request.mode() == SyncRequest.Mode.COPY) {
                return sync.copy();
            } else if (request.version() instanceof ArtifactFolder folder) {
                return sync.inPlace(folder);
            }
            throw new ConfigException(request.version().address()
                    + " cannot be read in place, as it is not a folder of this node; leave --in-place away");
        } catch (IOException e) {
            throw new EnvironmentException(
                    sync.why("cannot sync to " + sync.target, e) + "; --cache names another folder", e);
        }
    }

    private String why(String what, IOException e) {
        return e instanceof FileAlreadyExistsException inTheWay
                ? what + ": " + inTheWay.getFile() + " is not a folder"
                : IoReason.of(what, target, e);
    }

    private Path copy() throws IOException {
        makeFolder(target);
        if (!isComplete(VerifiedLog.in(target))) {
            try (SyncLock lock = SyncLock.acquire(target, request.log())) {
                lock.sign();
                request.listener().reached(SyncStep.LOCKED, "");
                bringMissing(VerifiedLog.in(target));
                bringManifest();
                sweepParts();
            }
        }
        copyStamps();
        return target;
    }

    /**
     * Copies the stamps of a version over a dataset. Those of another place, which verify wrote for the files of this node, are kept.
     *
     * @throws ConfigException if the version is in a store, and its files are not
     */
    private void copyStamps() {
        if (manifest.external().isEmpty()) {
            return;
        }
        if (!(source instanceof ArtifactFolder folder)) {
            throw new ConfigException(source.address() + " is a version over files of a dataset, which must be in a"
                    + " folder of this node, as the files are; mount the store");
        }
        Stamps stamps = Stamps.read(folder.root());
        if (!hasOwnStamps(stamps.root())) {
            stamps.write(target);
        }
    }

    /** Whether the copy has sound stamps of another folder. */
    private boolean hasOwnStamps(Path root) {
        try {
            return !Stamps.read(target).root().equals(root);
        } catch (CorruptDataException e) {
            return false;
        }
    }

    /**
     * Verifies the files in place and records the verified files in the cache directory. If it is not writable, nothing
     * is recorded and the next start verifies again.
     */
    private Path inPlace(ArtifactFolder folder) throws IOException {
        if (!unverified(VerifiedLog.ofInPlace(target), folder.root()).isEmpty()) {
            if (canNote()) {
                try (SyncLock lock = SyncLock.acquire(target, request.log())) {
                    lock.sign();
                    request.listener().reached(SyncStep.LOCKED, "");
                    hashInPlace(folder, VerifiedLog.ofInPlace(target));
                }
            } else {
                hashInPlace(folder, VerifiedLog.inMemory());
            }
        }
        return folder.root();
    }

    /**
     * Whether the verified files can be recorded in the cache directory, which reading in place uses for nothing else.
     */
    private boolean canNote() {
        String why = "it is read-only";
        try {
            makeFolder(target);
            if (SyncLock.canTake(target)) {
                return true;
            }
        } catch (IOException e) {
            why = why("it cannot be written", e);
        }
        request.log()
                .warning("rankfeed: the result of the verification cannot be recorded in " + target + " (" + why
                        + "), so every start verifies again; --cache names a writable folder");
        return false;
    }

    private boolean isComplete(VerifiedLog log) throws IOException {
        Path local = target.resolve(Manifest.FILE_NAME);
        return Files.isRegularFile(local, LinkOption.NOFOLLOW_LINKS)
                && Arrays.equals(Files.readAllBytes(local), ManifestJson.toBytes(manifest))
                && unverified(log, target).isEmpty();
    }

    /** Returns the files that are not verified: those of the requested lanes, and all files that belong to no lane. */
    private List<ArtifactFile> unverified(VerifiedLog log, Path folder) {
        return manifest.files().stream()
                .filter(file -> LaneFileName.parse(file.path())
                        .map(request.lanes()::contains)
                        .orElse(true))
                .filter(file -> !log.covers(file, file.path().in(folder)))
                .toList();
    }

    private void hashInPlace(ArtifactFolder folder, VerifiedLog log) throws IOException {
        List<ArtifactFile> files = unverified(log, folder.root());
        for (ArtifactFile file : files) {
            checkLength(file);
        }
        long bytes = files.stream().mapToLong(ArtifactFile::bytes).sum();
        try (SyncProgress progress = progress("verify " + manifest.id(), bytes)) {
            ParallelFiles.forEach(files, request.threads(), () -> {
                LocalCheck check = new LocalCheck(folder, progress);
                return file -> {
                    check.require(file);
                    mark(log, file, folder.root());
                };
            });
        }
    }

    private void bringMissing(VerifiedLog log) throws IOException {
        List<ArtifactFile> files = unverified(log, target);
        // Before any sum is made of them: a length that is not true may be any number.
        for (ArtifactFile file : files) {
            checkLength(file);
        }
        for (ArtifactFile file : files) {
            makeFolder(FileSync.folderOf(file.path().in(target)));
        }
        DiskSpace.check(files, target);
        long bytes = files.stream().mapToLong(FileSync::workBytes).sum();
        ArtifactFolder local = ArtifactFolder.at(target);
        try (SyncProgress progress = progress("sync " + manifest.id(), bytes)) {
            ParallelFiles.forEach(files, request.threads(), () -> {
                LocalCheck check = new LocalCheck(local, progress);
                FileSync copy = new FileSync(source, target, progress, request.listener());
                return file -> {
                    if (!check.isWhole(file)) {
                        copy.copy(file);
                    }
                    mark(log, file, target);
                };
            });
        }
    }

    private void checkLength(ArtifactFile file) throws IOException {
        try (SeekableByteChannel channel = source.open(file.path())) {
            Lengths.check(source.address(file.path()), channel.size(), file);
        }
    }

    private void mark(VerifiedLog log, ArtifactFile file, Path folder) {
        try {
            log.add(file, file.path().in(folder));
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of("cannot record in " + target + " which files were verified", target, e), e);
        }
        request.listener().reached(SyncStep.MARKED, file.path().value());
    }

    private void bringManifest() throws IOException {
        Path part = FileSync.partOf(target.resolve(Manifest.FILE_NAME));
        try (FileChannel channel = FileChannel.open(
                part,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING,
                LinkOption.NOFOLLOW_LINKS)) {
            ByteBuffer bytes = ByteBuffer.wrap(ManifestJson.toBytes(manifest));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(
                part,
                target.resolve(Manifest.FILE_NAME),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        FileSync.forceFolder(target);
        request.listener().reached(SyncStep.MANIFEST_WRITTEN, Manifest.FILE_NAME);
    }

    /** Deletes the part files that killed syncs of other lanes left: under the lock, no part file is being written. */
    private void sweepParts() throws IOException {
        List<Path> parts;
        try (Stream<Path> files = Files.walk(target)) {
            parts = files.filter(FileSync::isPart).toList();
        }
        for (Path part : parts) {
            Files.deleteIfExists(part);
        }
    }

    private SyncProgress progress(String what, long bytes) {
        request.listener().planned(bytes);
        return SyncProgress.start(what, bytes, request.style(), request.log(), request.listener()::handled);
    }

    /** Creates a folder of the cache. It must not be a link, which would redirect the copy. */
    private void makeFolder(Path folder) throws IOException {
        Files.createDirectories(request.cacheFolder());
        Path at = request.cacheFolder();
        for (Path name : request.cacheFolder().relativize(folder)) {
            at = at.resolve(name);
            if (Files.isSymbolicLink(at)) {
                throw new CorruptDataException(
                        at.toString(), "is a symbolic link inside the cache directory; remove it");
            }
            if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                // Accepts a folder that another feeder made meanwhile.
                Files.createDirectories(at);
            }
        }
    }
}
