package io.rankfeed.feeder.serve.admission;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
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
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The right to feed a run on this node: a POSIX lock, which the kernel drops with the process. Within one process the
 * file must not be opened a second time: closing any descriptor of it would drop the lock.
 */
public final class FeederLock implements AutoCloseable {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int MAX_TEXT_BYTES = 4096;
    private static final Pattern PID = Pattern.compile("pid (\\d{1,18})");

    /** The text of a process that does not feed the run but deletes the files of a dead feeder. */
    private static final String NOBODY = "";

    /** The number of attempts in one second. Deleting the files of a dead feeder takes milliseconds. */
    private static final int ATTEMPTS = 50;

    private static final long PAUSE_MILLIS = 20;

    private final Path file;
    private final FileChannel channel;

    private FeederLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Creates the run's directory and takes its lock. Waits for a process that only deletes the files of a dead feeder.
     *
     * @param text what others are shown of the holder; its first line begins with {@code pid N}
     * @throws EnvironmentException if another feeder has it; the message names its pid
     */
    static FeederLock take(Rendezvous rendezvous, String text) {
        String holder = NOBODY;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            rendezvous.make();
            try {
                Attempt made = attempt(rendezvous.lockFile(), text, StandardOpenOption.CREATE);
                if (made.lock() != null) {
                    return made.lock();
                }
                holder = made.holder();
                if (isAlive(holder)) {
                    break;
                }
                Thread.sleep(PAUSE_MILLIS);
            } catch (NoSuchFileException e) {
                // Who ended or cleared up between our two steps took the directory along: make it again.
            } catch (IOException e) {
                throw new EnvironmentException(IoReason.of("lock " + rendezvous.lockFile() + " cannot be taken", e), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new EnvironmentException(String.format(
                Locale.ROOT,
                "run '%s' is fed already on this node by %s; stop that one, or choose another --run (%s)",
                rendezvous.run(),
                holder.isEmpty() ? "pid unknown" : holder,
                rendezvous.lockFile()));
    }

    /**
     * Takes the lock of a run that has no feeder, to delete its files; a feeder of the run that starts meanwhile waits.
     */
    public static Optional<FeederLock> takeFree(Rendezvous rendezvous) throws IOException {
        try {
            return Optional.ofNullable(attempt(rendezvous.lockFile(), NOBODY).lock());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * @param lock null if another process has it, or the file was replaced
     * @param holder the first line that the process with the lock wrote
     */
    private record Attempt(@Nullable FeederLock lock, String holder) {}

    private static Attempt attempt(Path file, String text, OpenOption... more) throws IOException {
        Set<OpenOption> options = new HashSet<>(List.of(more));
        options.addAll(List.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        FileChannel channel = FileChannel.open(
                file, options, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        boolean isKept = false;
        try {
            if (lockOf(channel) == null) {
                return new Attempt(null, firstLine(channel));
            }
            channel.truncate(0);
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            // The file may have been unlinked, with its directory, between open and lock: then nobody else sees this
            // lock.
            isKept = isOpenByName(file);
            return new Attempt(isKept ? new FeederLock(file, channel) : null, NOBODY);
        } finally {
            if (!isKept) {
                channel.close();
            }
        }
    }

    /**
     * Whether the process of a lock's first line runs: the line of a dead feeder remains while another process deletes
     * its files.
     */
    private static boolean isAlive(String holder) {
        Matcher pid = PID.matcher(holder);
        return pid.lookingAt() && ProcessHandle.of(Long.parseLong(pid.group(1))).isPresent();
    }

    private static @Nullable FileLock lockOf(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Whether a descriptor of this process is the file with that name, and not a file that was unlinked since. */
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

    private static String firstLine(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MAX_TEXT_BYTES);
        channel.read(bytes, 0);
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
        return text.lines().findFirst().orElse(NOBODY);
    }

    /** Removes the file while the lock is held, then releases the lock. */
    @Override
    public void close() {
        try (channel) {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("lock " + file + " cannot be removed", e), e);
        }
    }
}
