package io.rankfeed.feeder.external;

import io.rankfeed.schema.cache.CacheBatch;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.cache.CacheVerifier;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Manifest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** The list of a version's external files, mapped: a version may have millions of them. Its bytes were checked when it was opened. */
public final class ExternalList {
    private static final ValueLayout.OfInt OFFSET = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int MAX_PATH_BYTES = 4096;

    private final CacheLayout layout;
    private final List<CacheBatch> batches;
    private final MemorySegment bytes;
    private final int paths;
    private final int lengths;
    private final int digests;

    private ExternalList(CacheLayout layout, MemorySegment bytes) {
        this.layout = layout;
        this.batches = layout.batches();
        this.bytes = bytes;
        this.paths = layout.column("path");
        this.lengths = layout.column("bytes");
        this.digests = layout.column("sha256");
    }

    /**
     * @param version folder of a version with external files
     * @throws CorruptDataException if the list is damaged, or is not that of the manifest
     */
    public static ExternalList open(Path version, Manifest.Version manifest, Arena arena) {
        External stated = manifest.external().orElseThrow();
        ArtifactFile entry = manifest.file(External.FILE_NAME).orElseThrow();
        String file = version.resolve(External.FILE_NAME).toString();
        try (FileChannel channel = UnlinkedFile.open(
                        version, External.FILE_NAME, "is listed in manifest.json but missing; sync the version again")
                .channel()) {
            if (channel.size() != entry.bytes()) {
                throw new CorruptDataException(
                        file,
                        Math.min(channel.size(), entry.bytes()),
                        "the file has " + channel.size() + " bytes, manifest.json says " + entry.bytes()
                                + "; sync the version again");
            }
            CacheLayout layout = CacheLayout.read(channel, file)
                    .require(External.LIST_SCHEMA, External.LIST_FEED, OptionalInt.empty(), External.LIST_BATCH_ROWS);
            new CacheVerifier(layout, channel).verifyAll();
            ExternalList list = new ExternalList(
                    layout, channel.map(FileChannel.MapMode.READ_ONLY, 0, layout.lengthBytes(), arena));
            list.require(stated);
            return list;
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }

    private void require(External stated) {
        long sum = 0;
        boolean isSum = layout.rows() == stated.files();
        for (int file = 0; isSum && file < stated.files(); file++) {
            isSum = bytes(file) >= 0 && bytes(file) <= stated.bytes() - sum;
            sum += bytes(file);
        }
        if (!isSum || sum != stated.bytes()) {
            throw new CorruptDataException(
                    layout.file(),
                    "does not have the " + stated.files() + " files of " + stated.bytes()
                            + " bytes that manifest.json states; import the dataset again");
        }
    }

    public int count() {
        return (int) layout.rows();
    }

    /** The length of a file when it was imported. */
    public long bytes(int file) {
        return bytes.get(LONG, batch(file).valuesOffset(lengths) + (long) Long.BYTES * row(file));
    }

    /** The SHA-256 of a file when it was imported. */
    public byte[] sha256(int file) {
        return value(file, digests);
    }

    /**
     * The path of a file below the root of the dataset.
     *
     * @throws CorruptDataException if it could leave the root
     */
    public String path(int file) {
        byte[] stored = value(file, paths);
        String path = new String(stored, StandardCharsets.UTF_8);
        boolean isBelow =
                stored.length <= MAX_PATH_BYTES && path.chars().noneMatch(c -> c < ' ' || c == 0x7F || c == 0xFFFD);
        for (String name : path.split("/", -1)) {
            isBelow &= !name.isEmpty() && !name.equals(".") && !name.equals("..");
        }
        if (!isBelow) {
            throw new CorruptDataException(
                    layout.file(),
                    batch(file).offsetsOffset(paths),
                    "path '" + Printable.of(path) + "' of file " + file + " is not a path below a folder");
        }
        return path;
    }

    private byte[] value(int file, int column) {
        CacheBatch batch = batch(file);
        long offsets = batch.offsetsOffset(column) + (long) Integer.BYTES * row(file);
        int from = bytes.get(OFFSET, offsets);
        byte[] value = new byte[bytes.get(OFFSET, offsets + Integer.BYTES) - from];
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, batch.valuesOffset(column) + from, value, 0, value.length);
        return value;
    }

    private CacheBatch batch(int file) {
        return batches.get(file / External.LIST_BATCH_ROWS);
    }

    private static int row(int file) {
        return file % External.LIST_BATCH_ROWS;
    }
}
