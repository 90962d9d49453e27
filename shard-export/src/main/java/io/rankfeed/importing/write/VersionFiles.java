package io.rankfeed.importing.write;

import io.rankfeed.export.lane.LaneHeader;
import io.rankfeed.export.lane.LaneWriter;
import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.ExternalFile;
import io.rankfeed.importing.lane.ReferenceRows;
import io.rankfeed.importing.select.SampleAddresses;
import io.rankfeed.importing.select.SampleLists;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Footer;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.Stratum;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Writes files below the folder of an unfinished version, each flushed to the disk before it is listed. */
public final class VersionFiles {
    private final Path folder;

    public VersionFiles(Path folder) {
        this.folder = folder;
    }

    /** Writes rows to a lane file. */
    private interface Rows {
        void write(LaneWriter writer) throws IOException;
    }

    /** Writes {@value External#FILE_NAME}: a row for each file, in the order of their numbers. */
    public ArtifactFile external(List<ExternalFile> files) {
        LaneHeader header =
                new LaneHeader(External.LIST_FEED, LaneHeader.SHARED, External.LIST_SCHEMA, External.LIST_BATCH_ROWS);
        ArtifactFile written = write(External.FILE_NAME, header, files.size(), writer -> {
            for (int number = 0; number < files.size(); number++) {
                ExternalFile file = files.get(number);
                byte[] path = file.path().getBytes(StandardCharsets.UTF_8);
                byte[] sha256 = HexFormat.of().parseHex(file.sha256());
                writer.beginRow(number, -1, -1);
                writer.putBytes(0, path, 0, path.length);
                writer.putBits(1, file.bytes());
                writer.putBytes(2, sha256, 0, sha256.length);
                writer.endRow();
            }
        });
        // Only files of lanes have a footer in a manifest.
        return ArtifactFile.of(External.FILE_NAME, written.bytes(), written.sha256(), files.size());
    }

    /**
     * Writes the files of one lane. Several threads may write lanes, each with addresses of its own.
     *
     * @param lane its number, or {@link LaneLayout#SHARED}
     * @throws ConfigException if the lane would have more files than their names can number
     */
    public List<ArtifactFile> lane(
            DatasetIndex index,
            SampleLists lists,
            SampleAddresses addresses,
            String feed,
            int lanes,
            int lane,
            Order.Storage storage) {
        LaneLayout layout = new LaneLayout(
                lanes,
                lists.strata().stream()
                        .map(stratum -> new Stratum(stratum.name(), stratum.rows()))
                        .toList());
        ReferenceRows rows = new ReferenceRows(index);
        String name = lane == LaneLayout.SHARED ? LaneHeader.SHARED : Integer.toString(lane);
        if ((layout.laneRows(lane) - 1) / storage.shardRows() >= LaneHeader.MAX_FILES) {
            throw new ConfigException("feed '" + feed + "': lane " + name + " has " + layout.laneRows(lane)
                    + " rows, which are more than " + LaneHeader.MAX_FILES + " files of " + storage.shardRows()
                    + " rows; use more lanes, or more rows in a file");
        }
        LaneHeader header = new LaneHeader(feed, name, External.stored(index.schema()), storage.batchRows());
        List<ArtifactFile> files = new ArrayList<>();
        for (long from = 0; from < layout.laneRows(lane); from += storage.shardRows()) {
            long first = from;
            long end = Math.min(layout.laneRows(lane), from + storage.shardRows());
            String path = LaneHeader.path(feed, name, files.size());
            files.add(write(path, header, end - first, writer -> {
                for (long ordinal = first; ordinal < end; ordinal++) {
                    int sample = lists.sample(layout.stratumAt(lane, ordinal), layout.indexAt(lane, ordinal));
                    rows.write(writer, addresses.rowId(sample), addresses.part(sample), addresses.row(sample));
                }
            }));
        }
        return files;
    }

    /** Writes a small file without rows. */
    ArtifactFile small(String path, byte[] bytes) {
        Path file = folder.resolve(path);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            Channels.newOutputStream(channel).write(bytes);
            channel.force(true);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot write " + file, file, e), e);
        }
        WritePoints.reached("file");
        return ArtifactFile.of(path, bytes.length, Sha256.hex(bytes));
    }

    private ArtifactFile write(String path, LaneHeader header, long rowCount, Rows rows) {
        Path file = folder.resolve(path);
        MessageDigest digest = Sha256.digest();
        try {
            Files.createDirectories(file.getParent());
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    DigestOutputStream out = new DigestOutputStream(
                            new BufferedOutputStream(Channels.newOutputStream(channel)), digest)) {
                LaneWriter writer = new LaneWriter(header, out);
                rows.write(writer);
                Footer footer = writer.finish();
                out.flush();
                channel.force(true);
                WritePoints.reached("file");
                return ArtifactFile.of(path, channel.size(), Sha256.hexOf(digest.digest()), rowCount, footer);
            }
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot write " + file, file, e), e);
        }
    }
}
