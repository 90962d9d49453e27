package io.rankfeed.schema.digest;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC32C (Castagnoli) as an unsigned 32-bit value in an int. */
public final class Crc32c {
    private Crc32c() {}

    public static int of(byte[] bytes) {
        return of(ByteBuffer.wrap(bytes));
    }

    /** The checksum of what remains in the buffer, whose position stays where it is. */
    public static int of(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }
}
