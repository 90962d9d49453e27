package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.cache.BatchBody;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactPath;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.StoredFeed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The files of the lanes of one member of a feed: of a feed of one version on this node. Each file is checked before it is mapped. */
record MemberLanes(
        ArtifactFolder folder, Manifest.Version manifest, Map<ArtifactPath, ArtifactFile> listed, FeedLanes lanes) {
    /** @param stored the feed whose lanes the version has */
    static MemberLanes of(ArtifactFolder folder, Manifest.Version manifest, StoredFeed stored, Order.Storage storage) {
        Map<ArtifactPath, ArtifactFile> listed = new HashMap<>();
        manifest.files().forEach(file -> listed.put(file.path(), file));
        return new MemberLanes(folder, manifest, listed, FeedLanes.of(stored, storage));
    }

    int batchRows() {
        return lanes.storage().batchRows();
    }

    /** The columns of each file, in order. */
    List<CacheColumn> columns() {
        return CacheColumn.of(manifest.storedSchema());
    }

    /**
     * How many files after that of a row's {@code _source} the file is that has its value of a column; empty if the lanes have values of
     * the column, or lack it.
     */
    OptionalInt referenced(String column) {
        boolean isReference = manifest.schema()
                .find(column)
                .filter(field -> !External.isInline(field))
                .isPresent();
        return manifest.external()
                .filter(external -> isReference)
                .map(external -> OptionalInt.of(external.after(column)))
                .orElse(OptionalInt.empty());
    }

    /** The selected lanes; the shared file comes first. */
    List<Integer> selected(LaneSelection selection) {
        List<Integer> selected = new ArrayList<>();
        for (int lane = LaneLayout.SHARED; lane < lanes.lanes(); lane++) {
            if (selection.contains(lane)) {
                selected.add(lane);
            }
        }
        return selected;
    }

    /**
     * Counts the record batches of the selected lanes. The lengths of the files are checked first: their sum bounds all memory that is
     * allocated later.
     */
    long checkedBlocks(LaneSelection selection) {
        long bytes = 0;
        long blocks = 0;
        for (int lane : selected(selection)) {
            for (FeedLanes.Expected wanted : lanes.files(lane)) {
                ArtifactFile file = listed(wanted);
                try (FileChannel channel = folder.open(file.path())) {
                    checkLength(file, channel.size());
                    bytes += file.bytes();
                } catch (IOException e) {
                    throw unreadable(file, e);
                }
            }
            blocks += lanes.blocks(lane);
        }
        if (blocks < 0 || blocks > bytes / BatchBody.ALIGNMENT) {
            throw new CorruptDataException(
                    folder.root().resolve(Manifest.FILE_NAME).toString(),
                    "feed '" + lanes.feed().name() + "' has " + blocks + " record batches, its files only " + bytes
                            + " bytes");
        }
        return blocks;
    }

    /** Receives a mapped file of a lane. */
    interface Receiver {
        void add(MappedFile file, CacheLayout layout);
    }

    /** Maps the files of a lane in order. */
    void map(int lane, Arena arena, Receiver receiver) {
        for (FeedLanes.Expected wanted : lanes.files(lane)) {
            ArtifactFile file = listed(wanted);
            try (FileChannel channel = folder.open(file.path())) {
                checkLength(file, channel.size());
                CacheLayout layout = CacheLayout.read(
                                channel, folder.resolve(file.path()).toString())
                        .require(
                                manifest.storedSchema(),
                                lanes.feed().name(),
                                lane == LaneLayout.SHARED ? OptionalInt.empty() : OptionalInt.of(lane),
                                batchRows());
                if (layout.rows() != wanted.rows()) {
                    throw new CorruptDataException(
                            layout.file(), "has " + layout.rows() + " rows, the version states " + wanted.rows());
                }
                MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, layout.lengthBytes(), arena);
                receiver.add(new MappedFile(folder.resolve(file.path()), bytes), layout);
            } catch (IOException e) {
                throw unreadable(file, e);
            }
        }
    }

    private ArtifactFile listed(FeedLanes.Expected wanted) {
        ArtifactFile file = listed.get(wanted.name().path());
        if (file == null) {
            throw new IllegalStateException(wanted.name().path() + " is not listed in a version that was checked");
        }
        return file;
    }

    private void checkLength(ArtifactFile file, long bytes) {
        if (bytes != file.bytes()) {
            throw new CorruptDataException(
                    folder.resolve(file.path()).toString(),
                    Math.min(bytes, file.bytes()),
                    "the file has " + bytes + " bytes, manifest.json says " + file.bytes()
                            + "; sync the version again");
        }
    }

    private EnvironmentException unreadable(ArtifactFile file, IOException e) {
        return new EnvironmentException(IoReason.of("cannot map " + folder.resolve(file.path()), e), e);
    }
}
