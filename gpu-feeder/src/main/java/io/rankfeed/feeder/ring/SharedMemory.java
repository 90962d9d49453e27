package io.rankfeed.feeder.ring;

import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The directory of segments, {@code /dev/shm} but in tests.
 *
 * @param directory a tmpfs
 */
public record SharedMemory(Path directory) {
    private static final Path DEV_SHM = Path.of("/dev/shm");

    public static SharedMemory ofSystem() {
        return new SharedMemory(DEV_SHM);
    }

    public long availableBytes() {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            throw new EnvironmentException(directory + " cannot be used for shared memory: " + e.getMessage(), e);
        }
    }

    /** @throws EnvironmentException if fewer bytes are available than needed; the message has both numbers */
    public void require(long neededBytes, String what) {
        long available = availableBytes();
        if (neededBytes > available) {
            throw full(neededBytes, available, what);
        }
    }

    EnvironmentException full(long neededBytes, long availableBytes, String what) {
        return new EnvironmentException(String.format(
                Locale.ROOT,
                "%s: %s needs %,d bytes, %,d are available; lower --depth, name fewer columns in a feed file (--config),"
                        + " or enlarge it (mount -o remount,size=…; docker run --shm-size=…)",
                directory,
                what,
                neededBytes,
                availableBytes));
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
                    "old segments in " + directory + " cannot be removed: " + e.getMessage() + "; remove "
                            + directory.resolve(prefix + "*") + " by hand",
                    e);
        }
        return swept;
    }

    private static boolean isOurs(Path entry, int uid) throws IOException {
        return SegmentName.parse(entry.getFileName().toString()).isPresent()
                && Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)
                && (int) Files.getAttribute(entry, "unix:uid", LinkOption.NOFOLLOW_LINKS) == uid;
    }
}
