package io.rankfeed.importing.index;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The folder that a dataset is in. Its files have paths relative to it, with {@code /} between the components; no path leaves it, and no
 * symbolic link below it is followed. The root itself may be a link, as the user named it.
 */
public final class DatasetRoot {
    /** The order of paths: that of their UTF-8 bytes, as in Python and C. */
    public static final Comparator<String> PATHS = (a, b) -> Arrays.compareUnsigned(utf8(a), utf8(b));

    private static final int MAX_PATH_BYTES = 4096;

    private final Path root;
    /** The name without its extension that files in the root must have; empty if all files are of the dataset. */
    private final String only;

    private DatasetRoot(Path root, String only) {
        this.root = root;
        this.only = only;
    }

    /**
     * The folder of a dataset; of a file the folder that it is in, with no file but those of its name, whatever their extension.
     *
     * @throws ConfigException if nothing is there
     */
    public static DatasetRoot at(Path path) {
        Path absolute = absolute(path);
        if (Files.isDirectory(absolute)) {
            return new DatasetRoot(absolute, "");
        } else if (Files.isRegularFile(absolute) && absolute.getParent() != null) {
            return new DatasetRoot(
                    absolute.getParent(), stem(absolute.getFileName().toString()));
        }
        throw new ConfigException(path + ": no such file or folder; give the folder that the dataset is in");
    }

    /** Where a path leads: ".." after a link is above the folder that the link leads to. */
    private static Path absolute(Path path) {
        Path absolute = path.toAbsolutePath();
        try {
            return absolute.equals(absolute.normalize()) ? absolute : absolute.toRealPath();
        } catch (IOException e) {
            return absolute.normalize();
        }
    }

    /** The last component of a path without its last extension. */
    public static String stem(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    /** The folder, absolute. */
    public Path path() {
        return root;
    }

    /** The path of a file for messages. */
    public String shown(String path) {
        return path.isEmpty() ? root.toString() : root + "/" + path;
    }

    /** A path in a folder; the folder is empty for the root. */
    public static String in(String folder, String name) {
        return folder.isEmpty() ? name : folder + "/" + name;
    }

    /** What a folder has. Files that are neither regular files nor folders are {@code others}. */
    public record Listing(List<String> files, List<String> folders, List<String> others) {}

    /**
     * Lists a folder, each kind sorted by {@link #PATHS}. Names that start with a dot are ignored; those of files that are used have to
     * be {@linkplain #require valid}.
     *
     * @param folder below the root; empty for the root
     */
    public Listing list(String folder) {
        Path at = checked(folder, true);
        Listing listing = new Listing(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        try (Stream<Path> entries = Files.list(at)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                String name = entry.getFileName().toString();
                boolean isFolder = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
                if (name.startsWith(".") || (isFolder ? !only.isEmpty() : !isOfDataset(name))) {
                    continue;
                }
                List<String> kind = Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)
                        ? listing.files()
                        : isFolder ? listing.folders() : listing.others();
                kind.add(in(folder, name));
            }
        } catch (IOException | UncheckedIOException e) {
            throw new EnvironmentException(IoReason.of("cannot list " + at, e), e);
        }
        listing.files().sort(PATHS);
        listing.folders().sort(PATHS);
        listing.others().sort(PATHS);
        return listing;
    }

    /** The length of a regular file, in bytes. */
    public long size(String path) {
        Path file = checked(path, false);
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }

    /**
     * What changes when a file is written.
     *
     * @param modifiedNanos time of the last write, in nanoseconds since 1970
     */
    public record Stamp(long bytes, long modifiedNanos) {}

    /** @throws CorruptDataException if the file is missing, or is a link */
    public Stamp stamp(String path) {
        Path file = checked(path, false);
        try {
            BasicFileAttributes at = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Stamp(at.size(), at.lastModifiedTime().to(TimeUnit.NANOSECONDS));
        } catch (NoSuchFileException e) {
            throw new CorruptDataException(file.toString(), "does not exist", e);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }

    /** Whether a file with this name in the root is of the dataset. */
    private boolean isOfDataset(String name) {
        return only.isEmpty() || stem(name).equals(only);
    }

    /** Whether all that is in a folder is of the dataset, so that nothing else may be written there. */
    public boolean contains(Path folder) {
        return only.isEmpty() && folder.toAbsolutePath().normalize().startsWith(root);
    }

    /** Whether a regular file of the dataset has this path, and no component of it is a link. */
    public boolean has(String path) {
        return isOfDataset(path)
                && link(path).isEmpty()
                && Files.isRegularFile(root.resolve(path), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Opens a file.
     *
     * @throws CorruptDataException if it is missing, or is not a regular file
     */
    public OpenFile open(String path) {
        Path file = checked(path, false);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new CorruptDataException(
                    file.toString(),
                    Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                            ? "is not a regular file; symbolic links are not followed"
                            : "does not exist");
        }
        try {
            return new OpenFile(
                    FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS), file.toString());
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot open " + file, e), e);
        }
    }

    private Path checked(String path, boolean mayBeRoot) {
        if (path.isEmpty() && mayBeRoot) {
            return root;
        }
        link(path).ifPresent(link -> {
            throw new CorruptDataException(link.toString(), "is a symbolic link; links are not followed");
        });
        return root.resolve(path);
    }

    /** The first component of a path that is a symbolic link. */
    private Optional<Path> link(String path) {
        Path at = root;
        for (String name : require(path).split("/", -1)) {
            at = at.resolve(name);
            if (Files.isSymbolicLink(at)) {
                return Optional.of(at);
            }
        }
        return Optional.empty();
    }

    /**
     * Checks a path that a file of the dataset, or its folder, states.
     *
     * @throws CorruptDataException if it could leave the root, or cannot be stored
     */
    public String require(String path) {
        int bytes;
        try {
            bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(path))
                    .remaining();
        } catch (CharacterCodingException e) {
            throw refused(path, "is not valid UTF-8");
        }
        if (bytes > MAX_PATH_BYTES) {
            throw refused(path, "has more than " + MAX_PATH_BYTES + " bytes");
        }
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                throw refused(path, "is not a path below the dataset's folder");
            }
        }
        if (path.indexOf('\uFFFD') >= 0) {
            throw refused(path, "is not valid in this locale; set LC_ALL=C.UTF-8, or rename the file");
        } else if (path.chars().anyMatch(c -> c < ' ' || c == 0x7F)) {
            throw refused(path, "has a control character");
        }
        return path;
    }

    private CorruptDataException refused(String path, String why) {
        return new CorruptDataException(root.toString(), "path '" + path + "' " + why);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
