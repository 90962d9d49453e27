package io.rankfeed.spark.source.format.arrow;

import com.github.luben.zstd.ZstdInputStream;
import io.rankfeed.schema.failure.ConfigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;

/** Decompresses buffers. Memory grows with the bytes that come out, never to a length that is only stated. */
final class BufferCodec {
    static final int NONE = -1;

    private static final int MAX_BYTES = 1 << 30;
    private static final long STORED_PLAIN = -1;
    private static final int LZ4_FLAGS = 4;
    private static final int LZ4_INDEPENDENT = 1 << 5;

    private BufferCodec() {}

    /**
     * Decompresses a buffer that is not empty.
     *
     * @throws IllegalArgumentException if it is damaged
     * @throws ConfigException if the codec is unknown, or the content is longer than is read
     */
    static ByteBuffer decompressed(int codec, ByteBuffer stored, String file) {
        if (codec == NONE) {
            return stored;
        }
        BatchParts.require(stored.remaining() >= Long.BYTES, "a compressed buffer of " + stored.remaining() + " bytes");
        long length = stored.getLong();
        if (length == 0 && !stored.hasRemaining()) {
            // Arrow's Java library writes no frame.
            return stored;
        } else if (length == STORED_PLAIN) {
            return stored.slice().order(ByteOrder.LITTLE_ENDIAN);
        } else if (length > MAX_BYTES) {
            throw new ConfigException(file + ": a buffer of " + length + " bytes is compressed, at most " + MAX_BYTES
                    + " are read; write the file again with fewer rows per batch");
        }
        BatchParts.require(length >= 0, "a buffer of " + length + " bytes");
        byte[] bytes;
        try (InputStream in = open(codec, stored, file)) {
            bytes = in.readNBytes((int) length);
            BatchParts.require(bytes.length == length && in.read() < 0, "a buffer has another length than it states");
        } catch (IOException | RuntimeException e) {
            if (e instanceof ConfigException unknown) {
                throw unknown;
            }
            throw new IllegalArgumentException("a compressed buffer is corrupted: " + e.getMessage(), e);
        }
        return IpcFile.little(bytes);
    }

    /** Polars writes blocks that refer to those before them, which the faster library does not read. */
    private static boolean isLinked(ByteBuffer frame) {
        return frame.remaining() > LZ4_FLAGS && (frame.get(frame.position() + LZ4_FLAGS) & LZ4_INDEPENDENT) == 0;
    }

    private static InputStream open(int codec, ByteBuffer stored, String file) throws IOException {
        InputStream in =
                new ByteArrayInputStream(stored.array(), stored.arrayOffset() + stored.position(), stored.remaining());
        return switch (codec) {
            case CompressionType.LZ4_FRAME ->
                isLinked(stored) ? new FramedLZ4CompressorInputStream(in) : new LZ4FrameInputStream(in);
            case CompressionType.ZSTD -> new ZstdInputStream(in);
            default ->
                throw new ConfigException(file + ": compression codec " + codec + " is not supported; write the"
                        + " file again with LZ4 or ZSTD, or uncompressed");
        };
    }
}
