package io.rankfeed.feeder.external;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.Stamps;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The external files of a version. Each file that is opened must have the length and the time of its stamp. A few files are mapped for
 * as long as the arena lives; of many, each read opens its file. Safe for use by several threads.
 */
public final class ExternalFiles {
    /** The most files that are mapped: a process has at most 65,530 mappings. */
    public static final int MAX_MAPPED = 16_384;

    private final Path root;
    /** The command that accepts other times of equal files. */
    private final String verify;

    private final ExternalList list;
    private final Stamps stamps;
    private final boolean areMapped;
    private final MemorySegment[] mapped;

    private ExternalFiles(Path root, String verify, ExternalList list, Stamps stamps, boolean areMapped) {
        this.root = root;
        this.verify = verify;
        this.list = list;
        this.stamps = stamps;
        this.areMapped = areMapped;
        this.mapped = new MemorySegment[areMapped ? list.count() : 0];
    }

    /**
     * Opens the list of a version over a dataset, and maps the files where there are few.
     *
     * @param version its folder
     * @param elsewhere the folder of the files; that of the stamps if it is absent
     * @param maxMapped the most files that are mapped
     * @throws ConfigException if the folder of the dataset is missing
     * @throws CorruptDataException if the list is damaged, or a file that is mapped has changed
     */
    public static ExternalFiles open(
            Path version, Manifest.Version manifest, Optional<Path> elsewhere, int maxMapped, Arena arena) {
        ExternalList list = ExternalList.open(version, manifest, arena);
        Stamps stamps = Stamps.read(version);
        if (stamps.files() != list.count()
                || !stamps.list()
                        .equals(manifest.file(External.FILE_NAME).orElseThrow().sha256())) {
            throw new CorruptDataException(
                    version.resolve(Stamps.FILE_NAME).toString(),
                    "is of another version; run rankfeed verify " + version + ", which writes it anew");
        }
        Path root = elsewhere.map(path -> path.toAbsolutePath().normalize()).orElse(stamps.root());
        if (!Files.isDirectory(root)) {
            throw new ConfigException(root + ": no such folder; " + version + " is a version over the files in it, so"
                    + " they must be mounted there; where they are at another path, feed with --external "
                    + manifest.dataset() + "=PATH, or run rankfeed verify " + version + " --external "
                    + manifest.dataset() + "=PATH");
        }
        String verify = "rankfeed verify " + version
                + (root.equals(stamps.root()) ? "" : " --external " + manifest.dataset() + "=" + root);
        ExternalFiles files = new ExternalFiles(root, verify, list, stamps, list.count() <= maxMapped);
        for (int file = 0; file < files.mapped.length; file++) {
            files.mapped[file] = files.map(file, arena);
        }
        return files;
    }

    private MemorySegment map(int file, Arena arena) {
        try (FileChannel channel = open(file)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, list.bytes(file), arena);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot map " + shown(file), e), e);
        }
    }

    /** The number of files. */
    public int count() {
        return list.count();
    }

    /** Whether all files are mapped; otherwise none is. */
    public boolean areMapped() {
        return areMapped;
    }

    /** The length of a file, in bytes. */
    public long bytes(int file) {
        // Equal to the list's, which takes two lookups in a mapped file: this is asked for each value.
        return areMapped ? mapped[file].byteSize() : list.bytes(file);
    }

    /** The path of a file below the root of the dataset. */
    public String path(int file) {
        return list.path(file);
    }

    /** A whole file, where {@link #areMapped}. */
    public MemorySegment mapped(int file) {
        return mapped[file];
    }

    /**
     * Reads a part of a file.
     *
     * @param target is filled; the part is inside of the file
     * @throws CorruptDataException if the file has changed
     */
    public void read(int file, long offset, ByteBuffer target) {
        try (FileChannel channel = open(file)) {
            long at = offset;
            while (target.hasRemaining()) {
                int read = channel.read(target, at);
                if (read < 0) {
                    throw ofLength(file, at);
                }
                at += read;
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + shown(file), e), e);
        }
    }

    /** The mapped file that is now shorter than it was, and what to do; empty if none is. */
    public Optional<CorruptDataException> truncated() {
        for (int file = 0; file < mapped.length; file++) {
            long bytes = 0;
            try {
                bytes = Files.size(root.resolve(list.path(file)));
            } catch (IOException e) {
                // It was removed.
            }
            if (bytes < list.bytes(file)) {
                return Optional.of(ofLength(file, bytes));
            }
        }
        return Optional.empty();
    }

    private FileChannel open(int file) throws IOException {
        UnlinkedFile opened = UnlinkedFile.open(
                root, list.path(file), "is missing, and was there when the dataset was imported; restore it");
        try {
            require(file, opened.attributes().size(), opened.attributes().lastModifiedTime());
        } catch (CorruptDataException e) {
            opened.close();
            throw e;
        }
        return opened.channel();
    }

    private void require(int file, long bytes, FileTime modified) {
        FileTime imported = FileTime.from(stamps.modified(file), TimeUnit.NANOSECONDS);
        if (bytes != list.bytes(file)) {
            throw ofLength(file, bytes);
        } else if (!modified.equals(imported)) {
            throw changed(file, "was modified at " + modified + ", and before at " + imported);
        }
    }

    private CorruptDataException ofLength(int file, long bytes) {
        return changed(file, "has " + bytes + " bytes, and had " + list.bytes(file));
    }

    private CorruptDataException changed(int file, String what) {
        return new CorruptDataException(
                shown(file),
                what + " when the dataset was imported or verified; if its content is the same, run " + verify
                        + ", otherwise restore the file or import the dataset again");
    }

    private String shown(int file) {
        return root + "/" + list.path(file);
    }
}
