package io.rankfeed.schema.image;

/** Facts from the chunks of a PNG file. */
record PngChunks(long width, long height, int orientation, boolean isAnimated, boolean isComplete) {
    static final String SIGNATURE = "\u0089PNG\r\n\u001a\n";
    /** Length, type and checksum. */
    private static final int CHUNK_BYTES = 12;

    /** Reads all chunks; of a truncated file those that are complete. */
    static PngChunks of(ImageBytes file) {
        int at = SIGNATURE.length();
        if (file.length() < at + CHUNK_BYTES + 8 || !file.has(at + 4, "IHDR")) {
            return new PngChunks(0, 0, 1, false, false);
        }
        long width = file.bigEndian32(at + 8);
        long height = file.bigEndian32(at + 12);
        int orientation = 1;
        boolean isAnimated = false;
        while (at + CHUNK_BYTES <= file.length()) {
            long end = at + CHUNK_BYTES + file.bigEndian32(at);
            if (end > file.length()) {
                break;
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
}
