package io.rankfeed.schema.image;

import io.rankfeed.schema.image.BrokenImageException.Kind;

/** The header of a BMP file: its size, and whether the file has all pixels. */
record BmpHeader(long width, long height, boolean isComplete) {
    /** The size of the header of OS/2 1.x, whose sides have two bytes. */
    private static final int OS2_BYTES = 12;
    /** The size of the header of OS/2 2.x, where compressions 3 and 4 have another meaning. */
    private static final int OS2_V2_BYTES = 64;

    private static final int MASKS = 54;
    private static final int NONE = 0;
    private static final int RLE8 = 1;
    private static final int RLE4 = 2;
    private static final int BIT_FIELDS = 3;

    /** @throws BrokenImageException if its pixels cannot be decoded by the contract */
    static BmpHeader of(ImageBytes file) throws BrokenImageException {
        if (file.length() < 26) {
            return new BmpHeader(0, 0, false);
        }
        if (file.littleEndian32(14) == OS2_BYTES) {
            return checked(file, file.littleEndian16(18), file.littleEndian16(20), file.littleEndian16(24), NONE);
        }
        int width = (int) file.littleEndian32(18);
        // A negative height means that the first row is at the top.
        long height = Math.abs((long) (int) file.littleEndian32(22));
        int bits = file.length() < 34 ? 0 : file.littleEndian16(28);
        int compression = bits == 0 ? NONE : (int) file.littleEndian32(30);
        return checked(file, width, height, bits, compression);
    }

    private static BmpHeader checked(ImageBytes file, long width, long height, int bits, int compression)
            throws BrokenImageException {
        // A file that ends within its header has a size, but no depth.
        if (bits != 0 && !isSupported(file, bits, compression)) {
            throw new BrokenImageException(
                    Kind.UNSUPPORTED,
                    "is a BMP of " + bits + " bits per pixel and compression " + compression
                            + (compression == BIT_FIELDS ? " with its own color masks" : "")
                            + "; supported are 1, 4, 8, 24 and 32 bits, RLE of 4 and 8 bits, and color masks of 8 bits each"
                            + " in the order BGRA; convert it to PNG");
        }
        long rowBytes = (width * bits + 31) / 32 * 4;
        // Only the decoder knows the length of compressed pixels.
        boolean isComplete = bits != 0
                && (compression == RLE8
                        || compression == RLE4
                        || file.littleEndian32(10) + rowBytes * height <= file.length());
        return new BmpHeader(width, height, isComplete);
    }

    private static boolean isSupported(ImageBytes file, int bits, int compression) {
        return switch (compression) {
            case NONE -> bits == 1 || bits == 4 || bits == 8 || bits == 24 || bits == 32;
            case RLE8 -> bits == 8;
            case RLE4 -> bits == 4;
            case BIT_FIELDS ->
                bits == 32
                        && file.littleEndian32(14) != OS2_V2_BYTES
                        && file.length() >= MASKS + 12
                        && file.littleEndian32(MASKS) == 0xFF0000
                        && file.littleEndian32(MASKS + 4) == 0xFF00
                        && file.littleEndian32(MASKS + 8) == 0xFF;
            default -> false;
        };
    }
}
