package io.rankfeed.feeder.sync;

import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Copies one file to this node: part file, length, fsync, digest of what the disk gives back, rename, fsync of the
 * folder. What a killed sync left in the part file is kept and checked with the rest; if the whole then has the wrong
 * digest, the file is copied once more from its first byte. Used by one thread.
 */
final class FileSync {
    private static final int CHUNK_BYTES = 4 << 20;

    /**
     * The number of attempts: the first may continue from an unverified part file, the second starts at the first byte.
     */
    private static final int ATTEMPTS = 2;

    private final ArtifactSource source;
    private final Path target;
    private final SyncProgress progress;
    private final FileDigest digest;
    private final SyncStep.Listener listener;
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);

    FileSync(ArtifactSource source, Path target, SyncProgress progress, SyncStep.Listener listener) {
        this.source = source;
        this.target = target;
        this.progress = progress;
        this.digest = new FileDigest(progress);
        this.listener = listener;
    }

    /** The temporary file to which a file is copied; no artifact can have a file of this name. */
    static Path partOf(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".part");
    }

    static boolean isPart(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(".") && name.endsWith(".part");
    }

    /** The bytes that are read to copy and hash a file, for the progress. */
    static long workBytes(ArtifactFile file) {
        return 2 * file.bytes();
    }

    /** Copies a file. The complete file is then under its name, and replaces an earlier one. */
    void copy(ArtifactFile file) {
        Path local = file.path().in(target);
        Path part = partOf(local);
        String path = file.path().value();
        try {
            boolean whole = false;
            for (int attempt = 0; attempt < ATTEMPTS && !whole; attempt++) {
                whole = attempt(file, part);
            }
            if (!whole) {
                throw blame(file);
            }
            listener.reached(SyncStep.PART_VERIFIED, path);
            Files.move(part, local, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            forceFolder(folderOf(local));
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot copy " + path + " to " + target, target, e), e);
        }
        listener.reached(SyncStep.RENAMED, path);
    }

    static Path folderOf(Path file) {
        return file.resolveSibling("");
    }

    static void forceFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Completes the part file. Returns true if it is then the wanted file; otherwise it is deleted. */
    private boolean attempt(ArtifactFile file, Path part) throws IOException {
        try (FileChannel to = FileChannel.open(
                part,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS)) {
            if (to.size() > file.bytes()) {
                to.truncate(0);
            }
            copyRest(file, to);
            to.force(true);
            listener.reached(SyncStep.PART_WRITTEN, file.path().value());
            // Read back, so that a write that was cut short or lost without an error is seen here and not by a trainer.
            if (to.size() == file.bytes() && digest.sha256(to).equals(file.sha256())) {
                return true;
            }
        }
        Files.delete(part);
        return false;
    }

    private void copyRest(ArtifactFile file, FileChannel to) throws IOException {
        try (SeekableByteChannel from = source.open(file.path())) {
            Lengths.check(source.address(file.path()), from.size(), file);
            long at = to.size();
            from.position(at);
            progress.add(at);
            while (at < file.bytes()) {
                chunk.clear().limit((int) Math.min(chunk.capacity(), file.bytes() - at));
                int read = from.read(chunk);
                if (read < 0) {
                    throw new CorruptDataException(source.address(file.path()), at, "became shorter while it was read");
                }
                chunk.flip();
                while (chunk.hasRemaining()) {
                    at += to.write(chunk, at);
                }
                progress.add(read);
                listener.reached(SyncStep.CHUNK_WRITTEN, file.path().value());
            }
        }
    }

    /** After two wrong copies, determines whether the source or the local disk is at fault. */
    private RuntimeException blame(ArtifactFile file) throws IOException {
        try (SeekableByteChannel from = source.open(file.path())) {
            String found = digest.sha256(from);
            if (!found.equals(file.sha256())) {
                return Lengths.wrongDigest(source.address(file.path()), found, file);
            }
        }
        return new EnvironmentException("the disk under " + target + " returned other bytes of " + file.path()
                + " than were written, in two attempts; check the disk or choose another cache directory");
    }
}
