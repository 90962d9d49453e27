package io.rankfeed.images;

import io.rankfeed.schema.image.ImageHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The bytes of an image file that native decoders get. They are changed where a decoder would break the decoding
 * contract.
 */
final class FileCopy {
    private static final int JPEG_END_BYTES = 2;
    private static final int RIFF_SIZE_AT = 4;
    private static final ValueLayout.OfInt LITTLE_ENDIAN_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private FileCopy() {}

    /** @param file receives the copy. Java writes it, for the reason given in {@link MappedPixels} */
    static Pixels of(Pixels file, MemorySegment memory, long offset, int lengthBytes, ImageHeader header) {
        boolean isJpeg = header.format() == ImageHeader.Format.JPEG;
        int webpEnd = header.webpImageEnd();
        int copied = webpEnd > 0 ? webpEnd : lengthBytes;
        MemorySegment copy = file.own(1, copied + (isJpeg ? JPEG_END_BYTES : 0)).bytes();
        MemorySegment.copy(memory, offset, copy, 0, copied);
        if (webpEnd > 0) {
            copy.set(LITTLE_ENDIAN_INT, RIFF_SIZE_AT, webpEnd - RIFF_SIZE_AT - Integer.BYTES);
        }
        if (isJpeg) {
            // Without an end marker the decoder refuses a truncated file. With one it fills the missing pixels.
            copy.set(ValueLayout.JAVA_BYTE, lengthBytes, (byte) 0xFF);
            copy.set(ValueLayout.JAVA_BYTE, lengthBytes + 1L, (byte) 0xD9);
        }
        int alphaAt = header.unassociatedAlphaAt();
        if (alphaAt >= 0) {
            copy.asSlice(alphaAt, Integer.BYTES).fill((byte) 0);
        }
        return file;
    }
}
