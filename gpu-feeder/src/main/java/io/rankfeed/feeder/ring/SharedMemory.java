package io.rankfeed.feeder.ring;

import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * The directory of segments: {@code /dev/shm}, except in tests.
 *
 * @param directory a tmpfs
 */
public record SharedMemory(Path directory) {
    /** Ways in which a user can make the rings smaller; part of messages. */
    public static final String REMEDIES =
            "say which ranks are here (--world, --ranks), serve fewer --feeds, lower --depth,"
                    + " name fewer columns in a feed file (--config)";

    /**
     * The minimum age of an orphan. A client locks its segment within a second, so a segment of this age without a lock
     * has no client.
     */
    private static final Duration ORPHAN_AGE = Duration.ofMinutes(1);

    private static final Path DEV_SHM = Path.of("/dev/shm");

    /** Returns {@code /dev/shm}. */
    public static SharedMemory ofSystem() {
        return new SharedMemory(DEV_SHM);
    }

    /**
     * The bytes that this process may still allocate there.
     *
     * @throws EnvironmentException if the directory is not accessible
     */
    public long availableBytes() {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of(directory + " cannot be used for shared memory", e), e);
        }
    }

    /**
     * @param claim who needs it, with the verb, as {@code "8 rings of depth 4 need"}
     * @throws EnvironmentException if fewer bytes are available than needed; the message has both numbers
     */
    public void require(long neededBytes, String claim) {
        long available = availableBytes();
        if (neededBytes > available) {
            throw full(neededBytes, available, claim);
        }
    }

    EnvironmentException full(long neededBytes, long availableBytes, String claim) {
        return new EnvironmentException(String.format(
                Locale.ROOT,
                "%s: %s %,d bytes (%s), %,d (%s) are available; %s, or enlarge %s (mount -o remount,size=…; docker run"
                        + " --shm-size=…)",
                directory,
                claim,
                neededBytes,
                ByteSize.rounded(neededBytes),
                availableBytes,
                ByteSize.rounded(availableBytes),
                REMEDIES,
                directory));
    }

    /**
     * Unlinks what earlier feeders of a rendezvous directory left. Only the holder of that directory's lock may call this:
     * then every such segment is dead. A client that still maps one keeps its pages; only the name goes.
     *
     * @return segments unlinked
     */
    public int sweep(int uid, String rendezvousHash) {
        int swept = 0;
        String prefix = "rankfeed-" + Integer.toUnsignedString(uid) + "-" + rendezvousHash + "-";
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, prefix + "*")) {
            for (Path entry : entries) {
                if (isOurs(entry, uid)) {
                    swept += Files.deleteIfExists(entry) ? 1 : 0;
                }
            }
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of("old segments in " + directory + " cannot be removed", e) + "; remove "
                            + directory.resolve(prefix + "*") + " by hand",
                    e);
        }
        return swept;
    }

    /**
     * Unlinks the user's segments that nobody can be using, whatever their rendezvous directory, which may be gone or are
     * where this process cannot see it: no process here has the pid in the name, no process anywhere has the client's lock,
     * and the file is a minute old. What cannot be removed stays: it harms no run.
     *
     * @return segments unlinked
     */
    public int sweepOrphans(int uid) {
        int swept = 0;
        String prefix = "rankfeed-" + Integer.toUnsignedString(uid) + "-";
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, prefix + "*")) {
            for (Path entry : entries) {
                swept += isOrphan(entry, uid) && Files.deleteIfExists(entry) ? 1 : 0;
            }
        } catch (IOException | DirectoryIteratorException e) {
            return swept;
        }
        return swept;
    }

    private static boolean isOrphan(Path entry, int uid) throws IOException {
        long pid = SegmentName.parse(entry.getFileName().toString())
                .map(SegmentName::pid)
                .orElse(0L);
        // The pid first: to close a file of this process would drop its locks.
        if (pid == 0 || ProcessHandle.of(pid).isPresent()) {
            return false;
        }
        try {
            Instant written =
                    Files.getLastModifiedTime(entry, LinkOption.NOFOLLOW_LINKS).toInstant();
            return isOurs(entry, uid) && written.plus(ORPHAN_AGE).isBefore(Instant.now()) && isUnlocked(entry);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static boolean isUnlocked(Path entry) throws IOException {
        try (FileChannel channel = FileChannel.open(
                        entry, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock probe = channel.tryLock()) {
            return probe != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static boolean isOurs(Path entry, int uid) throws IOException {
        return SegmentName.parse(entry.getFileName().toString()).isPresent()
                && Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)
                && (int) Files.getAttribute(entry, "unix:uid", LinkOption.NOFOLLOW_LINKS) == uid;
    }
}
