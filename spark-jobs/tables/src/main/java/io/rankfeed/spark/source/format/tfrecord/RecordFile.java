package io.rankfeed.spark.source.format.tfrecord;

import io.rankfeed.schema.digest.Crc32c;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.StoredStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** The records of a file: u64 length, its u32 checksum, the content, its u32 checksum. Each is checked before it is used. */
final class RecordFile implements Closeable {
    private static final int HEAD_BYTES = Long.BYTES + Integer.BYTES;
    private static final int MASK = 0xa282ead8;
    private static final int GZIP = 0x8b1f;
    /** The second byte of zlib's header depends on the level. */
    private static final byte ZLIB = 0x78;

    private final StoredStream bytes;
    private long at;
    private long offset;
    private long row;

    RecordFile(String file, Configuration conf) {
        bytes = StoredStream.open(file, conf);
    }

    /** Returns the features of the next example; null at the end. */
    @Nullable
    Map<String, Feature> next() {
        if (bytes.isEnd(at)) {
            bytes.end();
            return null;
        }
        byte[] head = bytes.read(at, HEAD_BYTES, "the length of record " + row);
        ByteBuffer little = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        if (masked(little.slice(0, Long.BYTES)) != little.getInt(Long.BYTES)) {
            throw at == 0 && ((little.getShort(0) & 0xffff) == GZIP || head[0] == ZLIB)
                    ? new ConfigException(
                            bytes.file() + " is compressed: rename a gzip file to end in .gz; write a zlib"
                                    + " file again without compression")
                    : bytes.damage(at, "the checksum of the length of record " + row + " does not match");
        }
        offset = at + HEAD_BYTES;
        byte[] content = bytes.read(offset, little.getLong(0), "record " + row);
        byte[] crc = bytes.read(offset + content.length, Integer.BYTES, "the checksum of record " + row);
        if (masked(ByteBuffer.wrap(content))
                != ByteBuffer.wrap(crc).order(ByteOrder.LITTLE_ENDIAN).getInt()) {
            throw bytes.damage(offset, "the checksum of record " + row + " does not match");
        }
        try {
            Map<String, Feature> features = Feature.ofExample(content);
            at = offset + content.length + Integer.BYTES;
            row++;
            return features;
        } catch (BadValue e) {
            throw refused(e, row, "");
        }
    }

    /** The number of records that {@link #next} returned. */
    long rows() {
        return row;
    }

    /** The exception for a feature of the last record. */
    RankfeedException refused(BadValue e, String feature) {
        return refused(e, row - 1, ", feature '" + feature + "'");
    }

    private RankfeedException refused(BadValue e, long record, String where) {
        return e.in(bytes.file(), "byte " + offset + ": record " + record + where);
    }

    private static int masked(ByteBuffer covered) {
        return Integer.rotateRight(Crc32c.of(covered), 15) + MASK;
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
