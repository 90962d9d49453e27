package io.rankfeed.spark.source.format.arrow;

import com.github.luben.zstd.ZstdInputStream;
import io.rankfeed.schema.failure.ConfigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.CompressionType;

/** Decompresses buffers. A length that is only stated becomes memory if the compressed bytes can be so long. */
final class BufferCodec {
    static final int NONE = -1;

    private static final int MAX_BYTES = 1 << 30;
    private static final long STORED_PLAIN = -1;

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
        try {
            bytes = switch (codec) {
                case CompressionType.LZ4_FRAME -> Lz4Frame.decompressed(stored, (int) length);
                case CompressionType.ZSTD -> zstd(stored, (int) length);
                default ->
                    throw new ConfigException(file + ": compression codec " + codec
                            + " is not supported; write the file" + " again with LZ4 or ZSTD, or uncompressed");
            };
        } catch (ConfigException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("a compressed buffer is corrupted: " + e.getMessage(), e);
        }
        return IpcFile.little(bytes);
    }

    private static byte[] zstd(ByteBuffer stored, int length) throws IOException {
        try (InputStream in = new ZstdInputStream(new ByteArrayInputStream(
                stored.array(), stored.arrayOffset() + stored.position(), stored.remaining()))) {
            byte[] bytes = in.readNBytes(length);
            BatchParts.require(bytes.length == length && in.read() < 0, "a buffer has another length than it states");
            return bytes;
        }
    }
}
