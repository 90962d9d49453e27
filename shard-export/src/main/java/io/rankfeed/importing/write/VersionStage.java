package io.rankfeed.importing.write;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A version that is written into a folder of its own below {@code versions}, and renamed to its id when it is complete. One import at a
 * time writes to a dataset: it has a lock that the kernel takes back from a dead process. What a killed import left is removed by the next.
 */
public final class VersionStage implements AutoCloseable {
    /** No reader takes names with an underscore for artifacts. */
    private static final String ATTEMPT = "_attempt-";

    private static final String LOCK = "_import.lock";

    private final Path versions;
    private final Path folder;
    private final FileChannel lock;

    private VersionStage(Path versions, FileChannel lock) {
        this.versions = versions;
        this.folder = versions.resolve(ATTEMPT + UUID.randomUUID());
        this.lock = lock;
    }

    /**
     * Takes the lock of a dataset and makes an empty folder.
     *
     * @param dataset its folder, which is made if it does not exist
     * @throws EnvironmentException if another import has the lock, or the folder cannot be written
     */
    public static VersionStage begin(Path dataset) {
        Path versions = dataset.resolve("versions");
        try {
            Files.createDirectories(versions);
            VersionStage stage = new VersionStage(versions, lock(dataset));
            try {
                for (Path left : attempts(versions)) {
                    delete(left);
                }
                Files.createDirectory(stage.folder);
                return stage;
            } catch (IOException | RuntimeException e) {
                stage.lock.close();
                throw e;
            }
        } catch (IOException | UncheckedIOException e) {
            throw new EnvironmentException(IoReason.of("cannot write into " + versions, dataset, e), e);
        }
    }

    private static FileChannel lock(Path dataset) throws IOException {
        FileChannel channel = FileChannel.open(
                dataset.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Another import of this process.
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new EnvironmentException("another import is writing to " + dataset + "; import again when it has ended");
    }

    private static List<Path> attempts(Path versions) throws IOException {
        try (Stream<Path> entries = Files.list(versions)) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith(ATTEMPT))
                    .toList();
        }
    }

    /** Where files are written. */
    public Path folder() {
        return folder;
    }

    /** The folder of a version. */
    public Path version(String id) {
        return versions.resolve(id);
    }

    /** Whether a version is complete. */
    public boolean has(String id) {
        return Files.exists(version(id).resolve(Manifest.FILE_NAME), LinkOption.NOFOLLOW_LINKS);
    }

    /** Gives the folder its name, which makes the version visible; an incomplete folder of this name is removed. */
    public void publish(String id) {
        Path target = version(id);
        try {
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                Path incomplete = versions.resolve(ATTEMPT + UUID.randomUUID());
                Files.move(target, incomplete, StandardCopyOption.ATOMIC_MOVE);
                delete(incomplete);
            }
            WritePoints.reached("before-rename");
            Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
            WritePoints.reached("after-rename");
        } catch (IOException | UncheckedIOException e) {
            throw new EnvironmentException(IoReason.of("cannot write " + target, target, e), e);
        }
    }

    /** Removes the folder, if it was not published, and gives the lock back. */
    @Override
    public void close() {
        try (lock) {
            delete(folder);
        } catch (IOException | UncheckedIOException e) {
            // The next import removes it.
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
