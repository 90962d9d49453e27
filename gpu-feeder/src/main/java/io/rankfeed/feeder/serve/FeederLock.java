package io.rankfeed.feeder.serve;

import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The right to feed a run on this node: a POSIX lock, which the kernel drops with the process. Within one process the
 * file must not be opened a second time: closing any descriptor of it would drop the lock.
 */
final class FeederLock implements AutoCloseable {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int MAX_TEXT_BYTES = 4096;
    private static final int ATTEMPTS = 50;

    private final Path file;
    private final FileChannel channel;

    private FeederLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Makes the run's directory and takes its lock.
     *
     * @throws EnvironmentException if another feeder has it; the message names its pid
     */
    static FeederLock take(Rendezvous rendezvous, String text) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            rendezvous.make();
            try {
                FeederLock lock = tryTake(rendezvous, text);
                if (lock != null) {
                    return lock;
                }
            } catch (NoSuchFileException e) {
                // A feeder that ended between our two steps took the directory along: make it again.
            } catch (IOException e) {
                throw new EnvironmentException(
                        "lock " + rendezvous.lockFile() + " cannot be taken: " + e.getMessage(), e);
            }
        }
        throw new EnvironmentException(
                "lock " + rendezvous.lockFile() + " changes faster than it can be taken; try again");
    }

    private static @Nullable FeederLock tryTake(Rendezvous rendezvous, String text) throws IOException {
        Path file = rendezvous.lockFile();
        FileChannel channel = FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        boolean isKept = false;
        try {
            FileLock lock = lockOf(channel);
            if (lock == null) {
                throw held(rendezvous, channel);
            }
            channel.truncate(0);
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            // The file may have been unlinked, with its directory, between open and lock: then nobody else sees this
            // lock.
            isKept = isOpenByName(file);
            return isKept ? new FeederLock(file, channel) : null;
        } finally {
            if (!isKept) {
                channel.close();
            }
        }
    }

    private static @Nullable FileLock lockOf(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** True if one of this process's descriptors is the file of that name, and not one that was unlinked since. */
    private static boolean isOpenByName(Path file) throws IOException {
        Path real = file.toRealPath(LinkOption.NOFOLLOW_LINKS);
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : descriptors) {
                if (isLinkTo(descriptor, real)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isLinkTo(Path descriptor, Path real) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).equals(real);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static EnvironmentException held(Rendezvous rendezvous, FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MAX_TEXT_BYTES);
        channel.read(bytes, 0);
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
        String holder = text.lines().findFirst().orElse("pid unknown");
        return new EnvironmentException(String.format(
                Locale.ROOT,
                "run '%s' is fed already on this node by %s; stop that one, or choose another --run (%s)",
                rendezvous.run(),
                holder,
                rendezvous.lockFile()));
    }

    /** Removes the file while the lock is still held, then lets go. */
    @Override
    public void close() {
        try (channel) {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new EnvironmentException("lock " + file + " cannot be removed: " + e.getMessage(), e);
        }
    }
}
