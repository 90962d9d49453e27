package io.rankfeed.spark.source.format.arrow;

import static io.rankfeed.spark.source.format.arrow.BatchParts.require;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Decompresses a frame of LZ4 (lz4_Frame_format.md, version 1.6.4). Arrow C++ and Polars write blocks that refer to those before them,
 * which lz4-java does not read, and Commons Compress reads at a few MB per second. Checksums, which neither writes, are not compared.
 */
final class Lz4Frame {
    private static final int MAGIC = 0x184D2204;
    /** A byte of a match length adds 255 bytes. */
    private static final long MAX_RATIO = 255;

    private static final int FLAG_CONTENT_SIZE = 1 << 3;
    private static final int FLAG_BLOCK_CHECKSUM = 1 << 4;
    private static final int FLAG_DICTIONARY = 1;
    private static final int VERSION = 1;
    private static final int MIN_MATCH = 4;

    private final byte[] in;
    private int at;
    private final byte[] out;
    private int end;

    private Lz4Frame(byte[] in, int at, int length) {
        this.in = in;
        this.at = at;
        out = new byte[length];
    }

    /**
     * Decompresses the rest of a buffer.
     *
     * @throws RuntimeException if it is damaged, or its content has another length
     */
    static byte[] decompressed(ByteBuffer stored, int length) {
        require(length <= MAX_RATIO * stored.remaining(), "more bytes than LZ4 can make of the frame");
        Lz4Frame frame = new Lz4Frame(stored.array(), stored.arrayOffset() + stored.position(), length);
        frame.read(ByteBuffer.wrap(frame.in, 0, frame.at + stored.remaining()).order(ByteOrder.LITTLE_ENDIAN));
        require(frame.end == length, "a buffer has another length than it states");
        return frame.out;
    }

    private void read(ByteBuffer frame) {
        require(frame.getInt(at) == MAGIC, "no frame of LZ4");
        int flags = frame.get(at + Integer.BYTES);
        require((flags >> 6 & 3) == VERSION && (flags & FLAG_DICTIONARY) == 0, "a frame of LZ4 with flags " + flags);
        // Magic, flags, block size, length of the content, checksum of these.
        at += Integer.BYTES + 2 + ((flags & FLAG_CONTENT_SIZE) != 0 ? Long.BYTES : 0) + 1;
        for (int size = frame.getInt(at); size != 0; size = frame.getInt(at)) {
            at += Integer.BYTES;
            int length = size & Integer.MAX_VALUE;
            require(length <= frame.limit() - at, "a block of " + length + " bytes is cut off");
            if (size < 0) {
                literals(length);
            } else {
                block(at + length);
            }
            at += (flags & FLAG_BLOCK_CHECKSUM) != 0 ? Integer.BYTES : 0;
        }
    }

    private void block(int blockEnd) {
        while (at < blockEnd) {
            int token = in[at++] & 0xff;
            int literals = length(token >> 4);
            require(literals <= blockEnd - at, "literals are cut off");
            literals(literals);
            // The last sequence has no match.
            if (at < blockEnd) {
                int offset = (in[at++] & 0xff) | (in[at++] & 0xff) << 8;
                match(offset, length(token & 0xf) + MIN_MATCH);
            }
        }
        require(at == blockEnd, "a block is cut off");
    }

    private int length(int nibble) {
        int length = nibble;
        if (nibble == 0xf) {
            int more;
            do {
                more = in[at++] & 0xff;
                length = Math.addExact(length, more);
            } while (more == 0xff);
        }
        return length;
    }

    private void literals(int length) {
        System.arraycopy(in, at, out, end, length);
        at += length;
        end += length;
    }

    private void match(int offset, int length) {
        require(0 < offset && offset <= end && length >= 0 && length <= out.length - end, "a match is out of range");
        if (offset >= length) {
            System.arraycopy(out, end - offset, out, end, length);
            end += length;
        } else {
            for (int to = end + length; end < to; end++) {
                out[end] = out[end - offset];
            }
        }
    }
}
