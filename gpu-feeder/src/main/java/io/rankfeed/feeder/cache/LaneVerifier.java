package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.cache.CacheBatch;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.cache.CacheVerifier;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactPath;
import io.rankfeed.schema.manifest.Footer;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.StoredFeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/** Reads a lane's file to its last byte: structure, rows, checksum of every record batch, every offset. */
public final class LaneVerifier {
    private final OpenVersion version;
    private final Map<String, Long> longest = new ConcurrentHashMap<>();
    private final Map<String, Long> maxItems = new ConcurrentHashMap<>();

    /** @param version states the columns, and the rows of each file */
    public LaneVerifier(OpenVersion version) {
        this.version = version;
    }

    /**
     * Checks one file.
     *
     * @return its record batches; 0 if the path is of no lane's file
     * @throws CorruptDataException naming the byte at which the damaged record batch or structure begins
     */
    public int verify(ArtifactFile listed) {
        ArtifactPath path = listed.path();
        LaneFileName name = LaneFileName.parse(path).orElse(null);
        if (name == null) {
            return 0;
        }
        String file = version.folder().resolve(path.value()).toString();
        try (FileChannel channel = ArtifactFolder.at(version.folder()).open(path)) {
            OptionalInt lane = name.lane() == LaneLayout.SHARED ? OptionalInt.empty() : OptionalInt.of(name.lane());
            CacheLayout layout = CacheLayout.read(channel, file)
                    .require(
                            version.manifest().storedSchema(),
                            name.feed(),
                            lane,
                            version.storage().batchRows());
            long rows = expectedRows(name);
            if (layout.rows() != rows) {
                throw new CorruptDataException(file, "has " + layout.rows() + " rows, the version states " + rows);
            }
            requireFooter(listed, layout, channel, file);
            CacheVerifier verifier = new CacheVerifier(layout, channel);
            verifier.verifyAll();
            for (Field field : version.schema().fields()) {
                String column = field.name();
                longest.merge(
                        column,
                        isReference(field)
                                ? longestReference(layout, channel, field)
                                : verifier.longest(layout.column(column)),
                        Math::max);
                maxItems.merge(column, verifier.maxItems(layout.column(column)), Math::max);
            }
            return layout.batches().size();
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }

    /** Whether lanes have offset and length in a file in place of each value. */
    private boolean isReference(Field field) {
        return version.manifest().external().isPresent() && field.kind() != Field.Kind.FIXED;
    }

    /** The most elements that a reference in a file states; 0 for a missing value. */
    private static long longestReference(CacheLayout layout, FileChannel channel, Field field) throws IOException {
        int column = layout.column(field.name());
        long bytes = 0;
        for (CacheBatch batch : layout.batches()) {
            ByteBuffer references =
                    ByteBuffer.allocate(2 * Long.BYTES * batch.rows()).order(ByteOrder.LITTLE_ENDIAN);
            long at = batch.valuesOffset(column);
            while (references.hasRemaining() && channel.read(references, at + references.position()) > 0) {}
            for (int row = 0; row < batch.rows(); row++) {
                bytes = Math.max(bytes, references.getLong(2 * Long.BYTES * row + Long.BYTES));
            }
        }
        return bytes / field.dtype().sizeBytes();
    }

    private static void requireFooter(ArtifactFile listed, CacheLayout layout, FileChannel channel, String file)
            throws IOException {
        long at = layout.end();
        byte[] footer = new byte[Math.toIntExact(channel.size() - at)];
        channel.read(ByteBuffer.wrap(footer), at);
        Footer wanted = listed.footer().orElseThrow();
        if (wanted.bytes() != footer.length || !wanted.sha256().equals(Sha256.hex(footer))) {
            throw new CorruptDataException(
                    file,
                    at,
                    "is not the footer that the manifest lists (" + wanted.bytes()
                            + " bytes); fetch or export the version" + " again");
        }
    }

    /** What part of a version's lanes was verified. */
    public enum Extent {
        EVERY_LANE,
        SOME_LANES
    }

    /**
     * Compares the manifest's maximum lengths with the rows that were verified. If all lanes were verified, the values
     * must be equal; if only some were, no row may be longer.
     *
     * @return a line for each column, naming the manifest
     */
    public List<String> wrongLengths(Extent extent) {
        List<String> wrong = new ArrayList<>();
        Manifest.Version manifest = version.manifest();
        for (Field field : version.schema().fields()) {
            if (field.kind() != Field.Kind.FIXED) {
                compare(field, "maxLength", manifest.maxLengths(), longest, extent, wrong);
            }
            if (field.kind() == Field.Kind.LIST) {
                compare(field, "maxItems", manifest.maxItems(), maxItems, extent, wrong);
            }
        }
        return wrong;
    }

    private void compare(
            Field field,
            String limit,
            Map<String, Long> reported,
            Map<String, Long> found,
            Extent extent,
            List<String> wrong) {
        long said = reported.getOrDefault(field.name(), 0L);
        long is = found.getOrDefault(field.name(), 0L);
        if (extent == Extent.EVERY_LANE ? is != said : is > said) {
            wrong.add(version.folder().resolve(Manifest.FILE_NAME) + ": column '" + field.name() + "' has " + limit
                    + " " + said + ", its longest row in the lanes " + is + "; fetch or export the version again");
        }
    }

    private long expectedRows(LaneFileName name) {
        StoredFeed feed = version.storedFeed(name.feed())
                .orElseThrow(
                        () -> new CorruptDataException(name.path().value(), "is of a feed that the version has not"));
        FeedLanes lanes = FeedLanes.of(feed, version.storage());
        long before = name.shard() * version.storage().shardRows();
        return Math.clamp(lanes.rows(name.lane()) - before, 0, version.storage().shardRows());
    }
}
