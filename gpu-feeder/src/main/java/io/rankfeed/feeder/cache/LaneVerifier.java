package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.LaneLayout;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.cache.CacheVerifier;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.ArtefactPath;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.OptionalInt;

/** Reads a lane's file to its last byte: structure, rows, checksum of every record batch, every offset. */
public final class LaneVerifier {
    private final OpenVersion version;

    public LaneVerifier(OpenVersion version) {
        this.version = version;
    }

    /**
     * Checks one file.
     *
     * @return its record batches; 0 if the path is of no lane's file
     * @throws CorruptDataException naming the byte at which the damaged record batch or structure begins
     */
    public int verify(ArtefactPath path) {
        LaneFileName name = LaneFileName.parse(path).orElse(null);
        if (name == null) {
            return 0;
        }
        String file = version.folder().resolve(path.value()).toString();
        try (FileChannel channel = ArtefactFolder.at(version.folder()).open(path)) {
            OptionalInt lane = name.lane() == LaneLayout.SHARED ? OptionalInt.empty() : OptionalInt.of(name.lane());
            CacheLayout layout = CacheLayout.read(channel, file)
                    .require(
                            version.schema(),
                            name.feed(),
                            lane,
                            version.storage().batchRows());
            long rows = expectedRows(name);
            if (layout.rows() != rows) {
                throw new CorruptDataException(file, "has " + layout.rows() + " rows, order.json asks for " + rows);
            }
            new CacheVerifier(layout, channel).verifyAll();
            return layout.batches().size();
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private long expectedRows(LaneFileName name) {
        try {
            FeedLanes lanes = FeedLanes.of(version.feed(name.feed()), version.storage());
            long before = name.shard() * version.storage().shardRows();
            return Math.clamp(
                    lanes.rows(name.lane()) - before, 0, version.storage().shardRows());
        } catch (ConfigException e) {
            throw new CorruptDataException(name.path().value(), "is of a feed that order.json has not", e);
        }
    }
}
