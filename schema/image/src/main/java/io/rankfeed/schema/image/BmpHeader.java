package io.rankfeed.schema.image;

import io.rankfeed.schema.image.BrokenImageException.Kind;
import java.util.Set;

/**
 * The header of a BMP file: its size, and whether the file has all pixels.
 *
 * @param rleBits 4 or 8 where the pixels are compressed, else 0
 * @param pixelsAt index of the first byte of the pixels
 */
record BmpHeader(long width, long height, boolean isComplete, int rleBits, long pixelsAt) {
    /** The size of the header of OS/2 1.x, whose sides have two bytes. */
    private static final int OS2_BYTES = 12;
    /** The size of the header of OS/2 2.x, where compressions 3 and 4 have another meaning. */
    private static final int OS2_V2_BYTES = 64;

    /** Sizes of headers that Pillow reads. */
    private static final Set<Long> HEADER_BYTES = Set.of(12L, 40L, 52L, 56L, 64L, 108L, 124L);

    private static final int FILE_HEADER_BYTES = 14;
    private static final int MASKS = 54;
    /** Headers of this size and more have a mask of alpha. */
    private static final int ALPHA_MASK_HEADER_BYTES = 56;

    private static final int NONE = 0;
    private static final int RLE8 = 1;
    private static final int RLE4 = 2;
    private static final int BIT_FIELDS = 3;

    private static final int RLE_ROW_END = 0;
    private static final int RLE_END = 1;
    private static final int RLE_SKIP = 2;

    /** @throws BrokenImageException if its pixels cannot be decoded by the contract */
    static BmpHeader of(ImageBytes file) throws BrokenImageException {
        if (file.length() < 26) {
            return new BmpHeader(0, 0, false, 0, 0);
        }
        if (!HEADER_BYTES.contains(file.littleEndian32(FILE_HEADER_BYTES))) {
            throw new BrokenImageException(
                    "is corrupted: a BMP with a header of " + file.littleEndian32(FILE_HEADER_BYTES) + " bytes");
        }
        if (file.littleEndian32(14) == OS2_BYTES) {
            return checked(file, file.littleEndian16(18), file.littleEndian16(20), file.littleEndian16(24), NONE);
        }
        int width = (int) file.littleEndian32(18);
        // A negative height means that the first row is at the top.
        long height = Math.abs((long) (int) file.littleEndian32(22));
        long end = FILE_HEADER_BYTES + file.littleEndian32(FILE_HEADER_BYTES);
        int compression = file.length() < end ? NONE : (int) file.littleEndian32(30);
        boolean isWhole = file.length() >= (compression == BIT_FIELDS ? Math.max(end, MASKS + 12) : end);
        return checked(file, width, height, isWhole ? file.littleEndian16(28) : 0, compression);
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
        long pixelsAt = file.littleEndian32(10);
        if (isComplete
                && (pixelsAt < FILE_HEADER_BYTES + file.littleEndian32(FILE_HEADER_BYTES)
                        || pixelsAt > file.length())) {
            throw new BrokenImageException("is corrupted: a BMP whose pixels begin at byte " + pixelsAt);
        }
        int rleBits = compression == RLE8 ? 8 : compression == RLE4 ? 4 : 0;
        return new BmpHeader(width, height, isComplete, rleBits, pixelsAt);
    }

    private static boolean isSupported(ImageBytes file, int bits, int compression) {
        return switch (compression) {
            case NONE -> bits == 1 || bits == 4 || bits == 8 || bits == 24 || bits == 32;
            case RLE8 -> bits == 8;
            case RLE4 -> bits == 4;
            case BIT_FIELDS ->
                bits == 32
                        && file.littleEndian32(14) != OS2_V2_BYTES
                        && file.littleEndian32(MASKS) == 0xFF0000
                        && file.littleEndian32(MASKS + 4) == 0xFF00
                        && file.littleEndian32(MASKS + 8) == 0xFF
                        && isAlphaMaskSupported(file);
            default -> false;
        };
    }

    private static boolean isAlphaMaskSupported(ImageBytes file) {
        if (file.littleEndian32(FILE_HEADER_BYTES) < ALPHA_MASK_HEADER_BYTES) {
            return true;
        }
        long mask = file.littleEndian32(MASKS + 12);
        return mask == 0 || mask == 0xFF000000L;
    }

    /**
     * Reads compressed pixels as Pillow does.
     *
     * @throws BrokenImageException if they do not fill the picture, or cross the end of a row, where decoders differ
     */
    void checkPixels(ImageBytes file) throws BrokenImageException {
        if (rleBits == 0) {
            return;
        }
        long pixels = width * height;
        long done = 0;
        long at = pixelsAt;
        boolean isRowEndNext = false;
        while (done < pixels) {
            int count = byteAt(file, at);
            int value = byteAt(file, at + 1);
            at += 2;
            long x = done % width;
            if (count > 0) {
                requireInRow(x + count);
                done += count;
            } else if (value == RLE_ROW_END) {
                if (x == 0 && !isRowEndNext) {
                    throw new BrokenImageException("is corrupted: its compressed pixels have an empty row");
                }
                done += x == 0 ? 0 : width - x;
            } else if (value == RLE_END) {
                throw new BrokenImageException(
                        "is corrupted: its compressed pixels end after " + done + " of " + pixels);
            } else if (value == RLE_SKIP) {
                int right = byteAt(file, at);
                requireInRow(x + right);
                done += right + width * byteAt(file, at + 1);
                at += 2;
            } else {
                requireInRow(x + value);
                done += value;
                long bytes = ((long) value * rleBits + 7) / 8;
                // Padded to an even index.
                at += bytes + (bytes & 1);
                byteAt(file, at - 1);
            }
            isRowEndNext = done % width == 0 && (count > 0 || value > RLE_SKIP);
        }
    }

    private void requireInRow(long x) throws BrokenImageException {
        if (x > width) {
            throw new BrokenImageException("is corrupted: its compressed pixels cross the end of a row");
        }
    }

    private static int byteAt(ImageBytes file, long index) throws BrokenImageException {
        if (index >= file.length()) {
            throw new BrokenImageException(Kind.TRUNCATED, "is truncated within its compressed pixels");
        }
        return file.at((int) index);
    }
}
