package io.rankfeed.spark.image;

import java.nio.ByteBuffer;

/** The chunks of a PNG file, for what Java's decoder does not read. */
final class PngChunks {
    private static final int SIGNATURE_BYTES = 8;
    private static final int EXIF = 'e' << 24 | 'X' << 16 | 'I' << 8 | 'f';

    /** Length, type and checksum. */
    private static final int FRAME_BYTES = 12;

    private PngChunks() {}

    /** The EXIF orientation, 1 to 8; 1 where there is none. */
    static int orientation(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file);
        int at = SIGNATURE_BYTES;
        while (at + FRAME_BYTES <= file.length) {
            long length = Integer.toUnsignedLong(bytes.getInt(at));
            if (at + FRAME_BYTES + length > file.length) {
                return 1;
            }
            if (bytes.getInt(at + 4) == EXIF) {
                return ExifOrientation.of(file, at + 8, at + 8 + (int) length);
            }
            at += FRAME_BYTES + (int) length;
        }
        return 1;
    }
}
