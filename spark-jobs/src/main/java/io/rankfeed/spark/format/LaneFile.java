package io.rankfeed.spark.format;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.CacheLayout;
import io.rankfeed.schema.cache.CacheSource;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Footer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A file of a version's lanes on any file system, opened and compared with the manifest. Used by one thread. */
final class LaneFile implements CacheSource, AutoCloseable {
    private static final int COPY_BYTES = 1 << 18;

    private final Path path;
    private final FSDataInputStream in;
    private final long lengthBytes;
    private final byte[] copy = new byte[COPY_BYTES];

    private LaneFile(Path path, FSDataInputStream in, long lengthBytes) {
        this.path = path;
        this.in = in;
        this.lengthBytes = lengthBytes;
    }

    /** @throws CorruptDataException if the file is missing or has another length than the manifest lists */
    static LaneFile open(Path version, ArtifactFile listed, Configuration conf) {
        Path path = new Path(version, listed.path().value());
        FileSystem fs = Storage.of(path, conf);
        try {
            long found = fs.getFileStatus(path).getLen();
            if (found != listed.bytes()) {
                throw new CorruptDataException(
                        path.toString(), "has " + found + " bytes; the manifest lists " + listed.bytes());
            }
            return new LaneFile(path, fs.open(path), found);
        } catch (FileNotFoundException e) {
            throw new CorruptDataException(path.toString(), "is listed in the manifest but missing", e);
        } catch (IOException e) {
            throw Storage.failed("read", path, e);
        }
    }

    /**
     * Reads the structure, and compares it with the manifest: the footer has the checksums of all record batches.
     *
     * @throws CorruptDataException if it is another
     */
    CacheLayout layout(SampleSchema schema, String feed, OptionalInt lane, int batchRows, long rows, Footer wanted) {
        CacheLayout layout = CacheLayout.read(this, path.toString()).require(schema, feed, lane, batchRows);
        if (layout.rows() != rows) {
            throw new CorruptDataException(
                    path.toString(), "has " + layout.rows() + " rows, the manifest lists " + rows);
        }
        ByteBuffer footer = ByteBuffer.allocate(Math.toIntExact(lengthBytes - layout.end()));
        try {
            while (footer.hasRemaining()) {
                if (read(footer, layout.end() + footer.position()) < 0) {
                    throw new CorruptDataException(path.toString(), layout.end(), "the file ended in its footer");
                }
            }
        } catch (IOException e) {
            throw Storage.failed("read", path, e);
        }
        if (footer.capacity() != wanted.bytes() || !Sha256.hex(footer.array()).equals(wanted.sha256())) {
            throw new CorruptDataException(
                    path.toString(),
                    layout.end(),
                    "is not the footer that the manifest lists; export the version again");
        }
        return layout;
    }

    @Override
    public long size() {
        return lengthBytes;
    }

    @Override
    public int read(ByteBuffer to, long offset) throws IOException {
        int wanted = Math.min(to.remaining(), COPY_BYTES);
        int read = in.read(offset, copy, 0, wanted);
        if (read > 0) {
            to.put(copy, 0, read);
        }
        return read;
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw Storage.failed("close", path, e);
        }
    }
}
