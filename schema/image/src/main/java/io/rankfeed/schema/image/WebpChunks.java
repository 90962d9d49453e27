package io.rankfeed.schema.image;

/**
 * Facts from the chunks of a WebP file.
 *
 * @param imageEnd index after the chunk of the pixels, with its padding, of a file of one image; 0 for an animation
 */
record WebpChunks(long width, long height, int orientation, int imageEnd, boolean isComplete) {
    private static final int FIRST = 12;
    private static final int CHUNK_HEADER_BYTES = 8;
    private static final int MIN_BYTES = 30;

    /** @throws BrokenImageException if the chunks do not fill the file, or there is not one image, as libwebp's demuxer demands */
    static WebpChunks of(ImageBytes file) throws BrokenImageException {
        if (file.length() < MIN_BYTES) {
            return new WebpChunks(0, 0, 1, 0, false);
        }
        long end = CHUNK_HEADER_BYTES + file.littleEndian32(4);
        if (end > file.length()) {
            return sized(file, 1, 0, false);
        }
        boolean isExtended = file.has(FIRST, "VP8X");
        int imageEnd = 0;
        boolean isAnimated = false;
        int orientation = 1;
        long at = FIRST;
        while (at + CHUNK_HEADER_BYTES <= end && (isExtended || imageEnd == 0)) {
            int from = (int) at + CHUNK_HEADER_BYTES;
            long bytes = file.littleEndian32(from - 4);
            // Chunks are padded to an even length.
            at = from + bytes + (bytes & 1);
            if (at > end) {
                throw new BrokenImageException("is corrupted: a chunk of its WebP crosses the end of the file");
            }
            int to = (int) (from + bytes);
            if (file.has(from - 8, "VP8 ") || file.has(from - 8, "VP8L")) {
                if (imageEnd > 0) {
                    throw new BrokenImageException("is corrupted: a WebP of several images that is not an animation");
                }
                imageEnd = (int) at;
            } else if (file.has(from - 8, "ANMF")) {
                isAnimated = true;
            } else if (file.has(from - 8, "EXIF")) {
                int skipped = file.has(from, "Exif\0\0") ? 6 : 0;
                orientation = ExifOrientation.of(file, from + skipped, to);
            }
        }
        if (isExtended && at != end) {
            throw new BrokenImageException("is corrupted: the chunks of its WebP do not fill the file");
        }
        if (isAnimated == imageEnd > 0) {
            throw new BrokenImageException("is corrupted: a WebP without an image");
        }
        return sized(file, orientation, imageEnd, true);
    }

    private static WebpChunks sized(ImageBytes file, int orientation, int imageEnd, boolean isComplete) {
        if (file.has(FIRST, "VP8 ") && file.has(23, "\u009d\u0001*")) {
            return new WebpChunks(
                    file.littleEndian16(26) & 0x3FFF,
                    file.littleEndian16(28) & 0x3FFF,
                    orientation,
                    imageEnd,
                    isComplete);
        } else if (file.has(FIRST, "VP8L") && file.at(20) == 0x2F) {
            long bits = file.littleEndian32(21);
            return new WebpChunks((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, orientation, imageEnd, isComplete);
        } else if (file.has(FIRST, "VP8X")) {
            long width = (file.littleEndian16(24) | file.at(26) << 16) + 1L;
            long height = (file.littleEndian16(27) | file.at(29) << 16) + 1L;
            return new WebpChunks(width, height, orientation, imageEnd, isComplete);
        }
        return new WebpChunks(0, 0, orientation, imageEnd, isComplete);
    }
}
