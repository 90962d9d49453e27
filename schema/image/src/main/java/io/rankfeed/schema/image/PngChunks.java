package io.rankfeed.schema.image;

import java.util.zip.CRC32;

/** Facts from the chunks of a PNG file. */
record PngChunks(long width, long height, int orientation, boolean isAnimated, boolean isComplete) {
    static final String SIGNATURE = "\u0089PNG\r\n\u001a\n";
    /** Length, type and checksum. */
    private static final int CHUNK_BYTES = 12;

    private static final String PIXELS = "IDAT";

    /**
     * Reads all chunks, or the complete ones of a truncated file.
     *
     * @throws BrokenImageException if a checksum of a chunk before the pixels is wrong; for pixels, see
     *     {@link #checkPixels}
     */
    static PngChunks of(ImageBytes file) throws BrokenImageException {
        int at = SIGNATURE.length();
        if (file.length() < at + CHUNK_BYTES + 8 || !file.has(at + 4, "IHDR")) {
            return new PngChunks(0, 0, 1, false, false);
        }
        long width = file.bigEndian32(at + 8);
        long height = file.bigEndian32(at + 12);
        int orientation = 1;
        boolean isAnimated = false;
        boolean hasPixels = false;
        while (at + CHUNK_BYTES <= file.length()) {
            long end = at + CHUNK_BYTES + file.bigEndian32(at);
            if (end > file.length()) {
                break;
            }
            hasPixels |= file.has(at + 4, PIXELS);
            if (!hasPixels) {
                CRC32 checksum = new CRC32();
                for (int i = at + 4; i < (int) end - 4; i++) {
                    checksum.update(file.at(i));
                }
                requireChecksum(file, at, checksum);
            }
            if (file.has(at + 4, "eXIf")) {
                orientation = ExifOrientation.of(file, at + 8, (int) end - 4);
            } else if (file.has(at + 4, "acTL") || file.has(at + 4, "fcTL") || file.has(at + 4, "fdAT")) {
                isAnimated = true;
            } else if (file.has(at + 4, "IEND")) {
                return new PngChunks(width, height, orientation, isAnimated, true);
            }
            at = (int) end;
        }
        return new PngChunks(width, height, orientation, isAnimated, false);
    }

    /**
     * Verifies the checksums of the pixels, which Java's decoder does not.
     *
     * @param bytes whose chunks {@link #of} read
     */
    static void checkPixels(byte[] bytes) throws BrokenImageException {
        ImageBytes file = ImageBytes.of(bytes);
        int at = SIGNATURE.length();
        while (!file.has(at + 4, "IEND")) {
            int length = (int) file.bigEndian32(at);
            if (file.has(at + 4, PIXELS)) {
                CRC32 checksum = new CRC32();
                checksum.update(bytes, at + 4, 4 + length);
                requireChecksum(file, at, checksum);
            }
            at += CHUNK_BYTES + length;
        }
    }

    private static void requireChecksum(ImageBytes file, int at, CRC32 checksum) throws BrokenImageException {
        if (checksum.getValue() != file.bigEndian32(at + 8 + (int) file.bigEndian32(at))) {
            throw new BrokenImageException("is corrupted: the checksum of the PNG chunk at byte " + at + " differs");
        }
    }
}
