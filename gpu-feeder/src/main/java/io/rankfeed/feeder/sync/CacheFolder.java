package io.rankfeed.feeder.sync;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/**
 * The folder of this user's caches: {@code $XDG_CACHE_HOME/rankfeed}, else {@code $HOME/.cache/rankfeed}, else
 * {@code rankfeed-cache-<uid>} in {@code $TMPDIR} ({@code /tmp}), which is private to the user. A variable that is
 * empty or a relative path counts as unset. The launcher has the same rule ({@code rankfeed_cli.caches}); Java's
 * {@code user.home} is not read: it is {@code ?} for a user without a name.
 */
public final class CacheFolder {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final String REMEDY = "; set XDG_CACHE_HOME or HOME to a folder of yours, or name one with --cache";

    private CacheFolder() {}

    /**
     * The folder, which need not exist unless it is the private one.
     *
     * @throws EnvironmentException if the private folder cannot be made, or belongs to another user
     */
    public static Path of(Map<String, String> environment) {
        Path cache = path(environment, "XDG_CACHE_HOME");
        if (cache.isAbsolute()) {
            return cache.resolve("rankfeed").normalize();
        }
        Path home = path(environment, "HOME");
        if (home.isAbsolute()) {
            return home.resolve(".cache/rankfeed").normalize();
        }
        Path temporary = path(environment, "TMPDIR");
        return ownPrivate(temporary.isAbsolute() ? temporary : Path.of("/tmp"));
    }

    private static Path path(Map<String, String> environment, String name) {
        return Path.of(environment.getOrDefault(name, ""));
    }

    private static Path ownPrivate(Path parent) {
        try {
            int uid = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            Path folder = parent.resolve("rankfeed-cache-" + Integer.toUnsignedString(uid));
            try {
                Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            } catch (FileAlreadyExistsException e) {
                boolean isOurs = Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && (int) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS) == uid;
                if (!isOurs) {
                    throw new EnvironmentException(
                            folder + " is not a directory of this user: it is not trusted" + REMEDY, e);
                }
                Files.setPosixFilePermissions(folder, OWNER_ONLY);
            }
            return folder;
        } catch (IOException e) {
            throw new EnvironmentException(
                    IoReason.of("the cache folder in " + parent + " cannot be made", e) + REMEDY, e);
        }
    }
}
