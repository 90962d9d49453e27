package io.rankfeed.spark.source.format.avro;

import com.github.luben.zstd.ZstdInputStream;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.source.format.BadValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.xerial.snappy.Snappy;

/** Decompresses blocks. Memory grows with the bytes that come out, never to a length that is only stated. */
enum AvroCodec {
    NULL,
    DEFLATE,
    SNAPPY,
    ZSTANDARD,
    BZIP2;

    static final int MAX_BLOCK_BYTES = 256 << 20;
    private static final int CRC_BYTES = 4;

    /** @throws ConfigException if there is none of this name */
    static AvroCodec of(String name, String file) {
        for (AvroCodec codec : values()) {
            if (codec.toString().equals(name)) {
                return codec;
            }
        }
        throw new ConfigException(file + ": codec '" + name + "' is not supported, only "
                + String.join(
                        ", ", Arrays.stream(values()).map(AvroCodec::toString).toList())
                + "; write the file again");
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** @throws BadValue if the block is damaged, or longer than {@value #MAX_BLOCK_BYTES} bytes */
    byte[] decompressed(byte[] block) {
        try {
            return switch (this) {
                case NULL -> block;
                case SNAPPY -> snappy(block);
                case DEFLATE -> {
                    Inflater inflater = new Inflater(true);
                    try {
                        // Without zlib's header the stream may need a byte after its end.
                        yield all(new InflaterInputStream(input(Arrays.copyOf(block, block.length + 1)), inflater));
                    } finally {
                        inflater.end();
                    }
                }
                case ZSTANDARD -> all(new ZstdInputStream(input(block)));
                case BZIP2 -> all(new BZip2CompressorInputStream(input(block)));
            };
        } catch (IOException | RuntimeException e) {
            if (e instanceof BadValue bad) {
                throw bad;
            }
            throw BadValue.damaged("a block of codec " + this + " is corrupted: " + e.getMessage());
        }
    }

    private static InputStream input(byte[] block) {
        return new ByteArrayInputStream(block);
    }

    private static byte[] all(InputStream decompressing) throws IOException {
        try (InputStream in = decompressing) {
            byte[] bytes = in.readNBytes(MAX_BLOCK_BYTES);
            if (in.read() >= 0) {
                throw tooLong();
            }
            return bytes;
        }
    }

    private static byte[] snappy(byte[] block) throws IOException {
        int end = block.length - CRC_BYTES;
        if (end < 0) {
            throw BadValue.damaged("a block without a checksum");
        }
        int length = Snappy.uncompressedLength(block, 0, end);
        if (length < 0 || length > MAX_BLOCK_BYTES) {
            throw tooLong();
        } else if (!Snappy.isValidCompressedBuffer(block, 0, end)) {
            throw BadValue.damaged("a block is not of codec snappy");
        }
        byte[] bytes = new byte[length];
        Snappy.uncompress(block, 0, end, bytes, 0);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        if ((int) crc.getValue() != ByteBuffer.wrap(block).getInt(end)) {
            throw BadValue.damaged("the checksum of a block is wrong");
        }
        return bytes;
    }

    private static BadValue tooLong() {
        return BadValue.unsupported(
                "a block of more than " + MAX_BLOCK_BYTES + " bytes; write the file again with smaller" + " blocks");
    }
}
