package io.rankfeed.feeder.sync;

import io.rankfeed.feeder.external.ExternalList;
import io.rankfeed.feeder.external.UnlinkedFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.Stamps;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Compares the external files of a version with their digests. Where all are equal, their times are the version's stamps from then on. */
public final class ExternalCheck {
    private final Path version;
    private final Manifest.Version manifest;
    private final Path root;
    private final Queue<String> damages = new ConcurrentLinkedQueue<>();

    /**
     * @param version folder of a version with external files
     * @param root folder of the dataset; the one of the stamps if it is absent
     * @throws ConfigException if the folder is missing
     */
    public ExternalCheck(Path version, Manifest.Version manifest, Optional<Path> root) {
        this.version = version;
        this.manifest = manifest;
        this.root = root.map(path -> path.toAbsolutePath().normalize())
                .orElseGet(() -> Stamps.read(version).root());
        if (!Files.isDirectory(this.root)) {
            throw new ConfigException(this.root + ": no such folder; give the folder of the files that " + version
                    + " is over with --external " + manifest.dataset() + "=PATH");
        }
    }

    /** The size of all files when they were imported. */
    public long bytes() {
        return manifest.external().orElseThrow().bytes();
    }

    /** Reads all files; returns those that differ, sorted. */
    public List<String> run(SyncProgress progress, int threads) {
        try (Arena arena = Arena.ofShared()) {
            ExternalList list = ExternalList.open(version, manifest, arena);
            long[] modified = new long[list.count()];
            ParallelFiles.forEach(IntStream.range(0, list.count()).boxed().toList(), threads, () -> {
                FileDigest digest = new FileDigest(progress);
                return file -> {
                    try {
                        modified[file] = check(list, file, digest);
                    } catch (CorruptDataException e) {
                        damages.add(String.valueOf(e.getMessage()));
                    }
                };
            });
            if (damages.isEmpty() && !areKnown(list, modified)) {
                long[] bytes =
                        IntStream.range(0, list.count()).mapToLong(list::bytes).toArray();
                new Stamps(root, digestOfList(), bytes, modified).write(version);
            }
        }
        return damages.stream().sorted().toList();
    }

    /** Whether the stamps are those of these files already, so that a version that cannot be written is verified as well. */
    private boolean areKnown(ExternalList list, long[] modified) {
        try {
            Stamps stamps = Stamps.read(version);
            return stamps.root().equals(root)
                    && stamps.list().equals(digestOfList())
                    && stamps.files() == modified.length
                    && IntStream.range(0, modified.length)
                            .allMatch(file ->
                                    stamps.modified(file) == modified[file] && stamps.bytes(file) == list.bytes(file));
        } catch (CorruptDataException e) {
            return false;
        }
    }

    private String digestOfList() {
        return manifest.file(External.FILE_NAME).orElseThrow().sha256();
    }

    /** Returns the time of the last write of a file that is whole, in nanoseconds since 1970. */
    private long check(ExternalList list, int file, FileDigest digest) {
        String shown = root + "/" + list.path(file);
        try (UnlinkedFile opened = UnlinkedFile.open(root, list.path(file), "is missing; restore it")) {
            long bytes = opened.attributes().size();
            if (bytes != list.bytes(file)) {
                throw new CorruptDataException(
                        shown, "has " + bytes + " bytes, and had " + list.bytes(file) + " when it was imported");
            }
            String found = digest.sha256(opened.channel());
            String imported = HexFormat.of().formatHex(list.sha256(file));
            if (!found.equals(imported)) {
                throw new CorruptDataException(
                        shown, "its SHA-256 is " + found + ", and was " + imported + " when it was imported");
            }
            long before = nanos(opened.attributes());
            long after = nanos(Files.readAttributes(Path.of(shown), BasicFileAttributes.class));
            if (before != after) {
                throw new CorruptDataException(shown, "was written while it was read; verify it again");
            }
            return after;
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + shown, e), e);
        }
    }

    private static long nanos(BasicFileAttributes attributes) {
        return attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    }
}
