package io.rankfeed.feeder.serve.admission;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.run.RunName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The directory in which the feeder and the trainers of a run meet (docs/format/ring.md, section 1).
 *
 * @param directory absolute; its last part is the run's name
 */
public record Rendezvous(String run, Path directory, int uid) {
    public static final String READY_FILE = "feeder.json";
    static final String LOCK_FILE = "feeder.lock";
    static final String TEMPORARY_PREFIX = ".feeder-";
    private static final int MAX_SOCKET_PATH_BYTES = 107;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /**
     * Returns the folder of a run in this environment, which is not created yet.
     *
     * @param environment {@code XDG_RUNTIME_DIR} is read
     * @throws ConfigException if the name cannot be
     */
    public static Rendezvous of(String run, Map<String, String> environment) {
        RunName.requireFed(run);
        int uid = ownUid();
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        Path base = runtime.isEmpty()
                ? Path.of("/tmp", "rankfeed-" + Integer.toUnsignedString(uid))
                : Path.of(runtime).toAbsolutePath().normalize().resolve("rankfeed");
        return new Rendezvous(run, base.resolve(run), uid);
    }

    /** @throws ConfigException if the path is longer than the kernel lets a socket's be */
    public Path socket(int rank) {
        Path socket = directory.resolve("rank-" + rank + ".sock");
        int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_SOCKET_PATH_BYTES) {
            throw new ConfigException("socket path " + socket + " has " + bytes + " bytes, a Unix socket's at most "
                    + MAX_SOCKET_PATH_BYTES + "; choose a shorter --run, or set XDG_RUNTIME_DIR");
        }
        return socket;
    }

    public Path readyFile() {
        return directory.resolve(READY_FILE);
    }

    public Path lockFile() {
        return directory.resolve(LOCK_FILE);
    }

    /**
     * Makes the directory and its parent, each 0700.
     *
     * @throws EnvironmentException if one is a symbolic link or somebody else's
     */
    public void make() {
        Path base = directory.getParent();
        if (base == null) {
            throw new ConfigException("no rendezvous directory at " + directory + "; set XDG_RUNTIME_DIR");
        }
        makePrivate(base);
        makePrivate(directory);
    }

    /** Returns the other runs of this user in the same folder, with a feeder or without. */
    List<Rendezvous> neighbors() {
        List<Rendezvous> runs = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.resolveSibling(""))) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (!name.equals(run) && RunName.isFed(name) && isOurs(entry)) {
                    runs.add(new Rendezvous(name, entry, uid));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw new EnvironmentException(IoReason.of("the runs beside " + directory + " cannot be listed", e), e);
        }
        return runs;
    }

    private boolean isOurs(Path path) throws IOException {
        try {
            return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                    && (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS) == uid;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void makePrivate(Path path) {
        try {
            try {
                Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            } catch (FileAlreadyExistsException e) {
                check(path);
            }
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of("rendezvous directory " + path + " cannot be made", e) + "; set XDG_RUNTIME_DIR", e);
        }
    }

    private void check(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new EnvironmentException(
                    path + " is not a directory (symbolic links are refused); remove it, or set XDG_RUNTIME_DIR");
        }
        if ((int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS) != uid) {
            throw new EnvironmentException(path + " belongs to another user; set XDG_RUNTIME_DIR to a folder of yours");
        }
        if (!Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).equals(OWNER_ONLY)) {
            Files.setPosixFilePermissions(path, OWNER_ONLY);
        }
    }

    private static int ownUid() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new EnvironmentException("/proc is not mounted: the feeder needs it to know its user", e);
        }
    }
}
