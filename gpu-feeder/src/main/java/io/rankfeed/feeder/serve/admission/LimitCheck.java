package io.rankfeed.feeder.serve.admission;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.ResourceLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks, before a version is copied, whether the limits of this process suffice to sync and serve it. */
public final class LimitCheck {
    /** The descriptors per connection: the client's socket, the selector with its wakeup event, and the segment. */
    static final int FILES_PER_CONNECTION = 4;

    /**
     * The descriptors per copying thread: the source file, its part file, and the connections of a remote store's
     * client.
     */
    private static final int FILES_PER_WORKER = 6;

    /**
     * Further descriptors: the server's selector, the report, lock files, class files that are loaded late, short
     * connections.
     */
    private static final int SPARE_FILES = 32;

    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final Path MEMORY = Path.of("/proc/self/status");
    private static final Pattern ADDRESSES = Pattern.compile("(?m)^VmSize:\\s+([0-9]+) kB$");

    private LimitCheck() {}

    /**
     * Requires descriptors for every rank and feed. If the world is unknown, those of one rank must suffice, and a
     * limit below those of all ranks is logged.
     *
     * @param workers threads that copy files
     * @throws EnvironmentException if the limit of open files is too low
     */
    public static void requireFiles(ServeSettings settings, int workers, Consumer<String> log) {
        int feeds = settings.feeds().size();
        int ranks = settings.ranks().size();
        long base = openFiles() + SPARE_FILES;
        long syncing = base + (long) FILES_PER_WORKER * workers;
        long sockets = base + ranks;
        long perRank = (long) FILES_PER_CONNECTION * feeds;
        long all = sockets + perRank * ranks;
        long needed = Math.max(syncing, settings.world().isPresent() ? all : sockets + perRank);
        ResourceLimit.OPEN_FILES.require(
                needed, "the feeder with ranks: " + ranks + ", feeds: " + feeds + ", workers: " + workers + " needs");
        OptionalLong limit = ResourceLimit.OPEN_FILES.value();
        if (limit.isPresent() && limit.getAsLong() < all) {
            log.accept("trainers of " + (limit.getAsLong() - sockets) / perRank + " of " + ranks
                    + " possible ranks can attach: each needs " + perRank + " open files; " + ResourceLimit.OPEN_FILES);
        }
    }

    /**
     * Requires address space for the files that will be mapped.
     *
     * @throws EnvironmentException if the limit of the address space is too low
     */
    public static void requireAddresses(long mappedBytes) {
        if (ResourceLimit.ADDRESS_SPACE.value().isPresent()) {
            ResourceLimit.ADDRESS_SPACE.require(
                    Math.addExact(addressBytes(), mappedBytes), "the feeder with its lanes and rings needs");
        }
    }

    private static long openFiles() {
        try (Stream<Path> files = Files.list(OPEN_FILES)) {
            return files.count();
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + OPEN_FILES, e), e);
        }
    }

    private static long addressBytes() {
        try {
            Matcher addresses = ADDRESSES.matcher(Files.readString(MEMORY));
            return addresses.find() ? Long.parseLong(addresses.group(1)) << 10 : 0;
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + MEMORY, e), e);
        }
    }
}
