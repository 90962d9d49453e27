package io.rankfeed.feeder.ring;

import io.rankfeed.schema.config.ByteSize;
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
    /** How a user makes the rings smaller. */
    public static final String REMEDIES =
            "say which ranks are here (--world, --ranks), serve fewer --feeds, lower --depth,"
                    + " name fewer columns in a feed file (--config)";

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
