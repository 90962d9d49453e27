package io.rankfeed.feeder.cache;

import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.BatchBody;
import io.rankfeed.schema.cache.CacheBatch;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactPath;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Order;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Opens, checks and maps the files of a feed's lanes, one after another, into one {@link LaneCache}. */
final class LaneMapping {
    private final ArtifactFolder folder;
    private final SampleSchema schema;
    private final Feed feed;
    private final Order.Storage storage;
    private final Arena arena;
    private final List<CacheColumn> columns;
    private final MappedFile[] fileOfBlock;
    private final CacheBatch[] batchOfBlock;
    private final MemorySegment[] bytesOfBlock;
    private final long[][] offsets;
    private final long[][] itemOffsets;
    private final long[][] itemCounts;
    private final long[][] values;
    private final long[][] valuesBytes;
    private int blocks;

    private LaneMapping(
            ArtifactFolder folder, SampleSchema schema, Feed feed, Order.Storage storage, Arena arena, int blocks) {
        this.folder = folder;
        this.schema = schema;
        this.feed = feed;
        this.storage = storage;
        this.arena = arena;
        this.columns = CacheColumn.of(schema);
        this.fileOfBlock = new MappedFile[blocks];
        this.batchOfBlock = new CacheBatch[blocks];
        this.bytesOfBlock = new MemorySegment[blocks];
        this.offsets = new long[columns.size()][blocks];
        this.itemOffsets = new long[columns.size()][blocks];
        this.itemCounts = new long[columns.size()][blocks];
        this.values = new long[columns.size()][blocks];
        this.valuesBytes = new long[columns.size()][blocks];
    }

    static LaneCache map(
            ArtifactFolder folder,
            Manifest manifest,
            SampleSchema schema,
            Feed feed,
            Order.Storage storage,
            LaneSelection selection) {
        Map<ArtifactPath, ArtifactFile> listed = new HashMap<>();
        manifest.files().forEach(file -> listed.put(file.path(), file));
        FeedLanes lanes = FeedLanes.of(feed, storage);
        long bytes = checkedBytes(folder, feed, lanes, selection, listed);
        long blocks = 0;
        for (int lane = LaneLayout.SHARED; lane < feed.lanes(); lane++) {
            blocks += selection.contains(lane) ? lanes.blocks(lane) : 0;
        }
        if (blocks < 0 || blocks > bytes / BatchBody.ALIGNMENT || blocks > Integer.MAX_VALUE) {
            throw new CorruptDataException(
                    folder.root().resolve(Order.FILE_NAME).toString(),
                    "feed '" + feed.name() + "' has " + blocks + " record batches, its files only " + bytes + " bytes");
        }
        Arena arena = Arena.ofShared();
        try {
            LaneMapping mapping = new LaneMapping(folder, schema, feed, storage, arena, (int) blocks);
            return mapping.map(lanes, selection, listed);
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /** Checks the lengths of the files first: their sum bounds all memory that is allocated later. */
    private static long checkedBytes(
            ArtifactFolder folder,
            Feed feed,
            FeedLanes lanes,
            LaneSelection selection,
            Map<ArtifactPath, ArtifactFile> listed) {
        long bytes = 0;
        for (int lane = LaneLayout.SHARED; lane < feed.lanes(); lane++) {
            if (selection.contains(lane)) {
                for (FeedLanes.Expected wanted : lanes.files(lane)) {
                    ArtifactFile file = listed(listed, wanted);
                    try (FileChannel channel = folder.open(file.path())) {
                        checkLength(folder, file, channel.size());
                        bytes += file.bytes();
                    } catch (IOException e) {
                        throw unreadable(folder, file, e);
                    }
                }
            }
        }
        return bytes;
    }

    private LaneCache map(FeedLanes lanes, LaneSelection selection, Map<ArtifactPath, ArtifactFile> listed) {
        int[] firstBlock = new int[feed.lanes() + 1];
        Arrays.fill(firstBlock, -1);
        for (int lane = LaneLayout.SHARED; lane < feed.lanes(); lane++) {
            if (selection.contains(lane)) {
                firstBlock[lane + 1] = blocks;
                for (FeedLanes.Expected wanted : lanes.files(lane)) {
                    mapFile(listed(listed, wanted), wanted);
                }
            }
        }
        Map<String, MappedColumn> byName = new HashMap<>();
        for (int c = 0; c < columns.size(); c++) {
            byName.put(
                    columns.get(c).name(),
                    new MappedColumn(
                            bytesOfBlock, offsets[c], itemOffsets[c], itemCounts[c], values[c], valuesBytes[c]));
        }
        return new LaneCache(
                arena,
                storage.batchRows(),
                firstBlock,
                byName,
                fileOfBlock,
                new BlockChecks(fileOfBlock, batchOfBlock));
    }

    private void mapFile(ArtifactFile file, FeedLanes.Expected wanted) {
        int lane = wanted.name().lane();
        try (FileChannel channel = folder.open(file.path())) {
            checkLength(folder, file, channel.size());
            CacheLayout layout = CacheLayout.read(
                            channel, folder.resolve(file.path()).toString())
                    .require(
                            schema,
                            feed.name(),
                            lane == LaneLayout.SHARED ? OptionalInt.empty() : OptionalInt.of(lane),
                            storage.batchRows());
            if (layout.rows() != wanted.rows()) {
                throw new CorruptDataException(
                        layout.file(), "has " + layout.rows() + " rows, order.json asks for " + wanted.rows());
            }
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, layout.lengthBytes(), arena);
            MappedFile mapped = new MappedFile(folder.resolve(file.path()), bytes);
            for (CacheBatch batch : layout.batches()) {
                add(mapped, batch);
            }
        } catch (IOException e) {
            throw unreadable(folder, file, e);
        }
    }

    private void add(MappedFile file, CacheBatch batch) {
        fileOfBlock[blocks] = file;
        batchOfBlock[blocks] = batch;
        bytesOfBlock[blocks] = file.bytes();
        for (int c = 0; c < columns.size(); c++) {
            offsets[c][blocks] = batch.offsetsOffset(c);
            itemOffsets[c][blocks] = batch.itemOffsetsOffset(c);
            itemCounts[c][blocks] = batch.body().itemCount(c);
            values[c][blocks] = batch.valuesOffset(c);
            valuesBytes[c][blocks] =
                    batch.body().valueCount(c) * columns.get(c).dtype().sizeBytes();
        }
        blocks++;
    }

    private static ArtifactFile listed(Map<ArtifactPath, ArtifactFile> listed, FeedLanes.Expected wanted) {
        ArtifactFile file = listed.get(wanted.name().path());
        if (file == null) {
            throw new IllegalStateException(wanted.name().path() + " is not listed in a version that was checked");
        }
        return file;
    }

    private static void checkLength(ArtifactFolder folder, ArtifactFile file, long bytes) {
        if (bytes != file.bytes()) {
            throw new CorruptDataException(
                    folder.resolve(file.path()).toString(),
                    Math.min(bytes, file.bytes()),
                    "the file has " + bytes + " bytes, manifest.json says " + file.bytes()
                            + "; sync the version again");
        }
    }

    private static EnvironmentException unreadable(ArtifactFolder folder, ArtifactFile file, IOException e) {
        return new EnvironmentException(IoReason.of("cannot map " + folder.resolve(file.path()), e), e);
    }
}
