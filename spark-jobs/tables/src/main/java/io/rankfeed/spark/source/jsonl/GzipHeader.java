package io.rankfeed.spark.source.jsonl;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * A gzip member without the optional fields of its header, which are skipped (RFC 1952, section 2.3). An extra field
 * has XLEN arbitrary bytes; commons-compress refuses one that is not a list of subfields.
 */
final class GzipHeader extends FilterInputStream {
    private static final int FIXED_BYTES = 10;
    private static final int FLAGS_AT = 3;
    private static final int HEADER_CRC = 1 << 1;
    private static final int EXTRA = 1 << 2;
    private static final int NAME = 1 << 3;
    private static final int COMMENT = 1 << 4;

    private final byte[] fixed;
    private int next;

    private GzipHeader(InputStream in, byte[] fixed) {
        super(in);
        this.fixed = fixed;
    }

    /** @param in at the start of a member; it must support marks, which belong to what comes after the header */
    static GzipHeader read(InputStream in) throws IOException {
        CRC32 crc = new CRC32();
        CheckedInputStream header = new CheckedInputStream(in, crc);
        byte[] fixed = header.readNBytes(FIXED_BYTES);
        if (fixed.length < FIXED_BYTES || fixed[0] != 0x1F || fixed[1] != (byte) 0x8B) {
            return new GzipHeader(in, fixed);
        }
        int flags = fixed[FLAGS_AT];
        if ((flags & EXTRA) != 0) {
            header.skipNBytes(unsignedShort(header));
        }
        if ((flags & NAME) != 0) {
            skipText(header);
        }
        if ((flags & COMMENT) != 0) {
            skipText(header);
        }
        if ((flags & HEADER_CRC) != 0) {
            int computed = (int) crc.getValue() & 0xFFFF;
            int stored = unsignedShort(header);
            if (stored != computed) {
                throw new IOException("the header has CRC16 " + computed + ", but stores " + stored);
            }
        }
        fixed[FLAGS_AT] = (byte) (flags & ~(HEADER_CRC | EXTRA | NAME | COMMENT));
        return new GzipHeader(in, fixed);
    }

    private static int unsignedShort(InputStream in) throws IOException {
        return unsignedByte(in) | unsignedByte(in) << 8;
    }

    private static int unsignedByte(InputStream in) throws IOException {
        int read = in.read();
        if (read < 0) {
            throw new EOFException("the file ends in a header");
        }
        return read;
    }

    private static void skipText(InputStream in) throws IOException {
        int read;
        do {
            read = unsignedByte(in);
        } while (read != 0);
    }

    @Override
    public int read() throws IOException {
        return next < fixed.length ? fixed[next++] & 0xFF : in.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (next == fixed.length || length == 0) {
            return in.read(into, offset, length);
        }
        into[offset] = fixed[next++];
        return 1;
    }
}
