package io.rankfeed.schema.image;

import io.rankfeed.schema.image.BrokenImageException.Kind;
import java.util.Arrays;

/**
 * The only page of a TIFF file. Pixels that decoders decode differently are refused. Thumbnails and masks are not pages; pages below
 * a page (SubIFDs) are not read.
 */
final class TiffPage {
    private static final int SUBFILE_TYPE = 254;
    private static final int WIDTH = 256;
    private static final int HEIGHT = 257;
    private static final int BITS_PER_SAMPLE = 258;
    private static final int COMPRESSION = 259;
    private static final int PHOTOMETRIC = 262;
    private static final int FILL_ORDER = 266;
    private static final int STRIP_OFFSETS = 273;
    private static final int ORIENTATION = 274;
    private static final int SAMPLES_PER_PIXEL = 277;
    private static final int STRIP_BYTE_COUNTS = 279;
    private static final int COLOR_MAP = 320;
    private static final int TILE_WIDTH = 322;
    private static final int TILE_OFFSETS = 324;
    private static final int TILE_BYTE_COUNTS = 325;
    private static final int INK_SET = 332;
    private static final int EXTRA_SAMPLES = 338;
    private static final int SAMPLE_FORMAT = 339;

    private static final int THUMBNAIL = 1;
    private static final int MASK = 4;
    private static final int WHITE_IS_ZERO = 0;
    private static final int BLACK_IS_ZERO = 1;
    private static final int RGB = 2;
    private static final int PALETTE = 3;
    private static final int CMYK = 5;
    private static final int YCC = 6;
    private static final int JPEG = 7;
    private static final int UNASSOCIATED_ALPHA = 2;
    private static final int ENTRY_BYTES = 12;
    private static final int MAX_DIRECTORIES = 1 << 12;

    private final ImageBytes file;
    private final boolean isLittle;
    private final long directory;

    private TiffPage(ImageBytes file, boolean isLittle, long directory) {
        this.file = file;
        this.isLittle = isLittle;
        this.directory = directory;
    }

    /** @throws BrokenImageException if the file does not have one page, or its pixels cannot be decoded by the contract */
    static TiffPage only(ImageBytes file) throws BrokenImageException {
        if (file.length() < 8) {
            throw new BrokenImageException("is corrupted: a TIFF of " + file.length() + " bytes");
        }
        boolean isLittle = file.has(0, "II");
        TiffPage first = new TiffPage(file, isLittle, 0).at(4);
        if (!first.isPage()) {
            throw unsupported("is a TIFF whose first image is a thumbnail or a mask; store the image alone");
        }
        int pages = 1;
        int directories = 1;
        for (TiffPage next = first.next(); next.directory != 0; next = next.next()) {
            pages += next.isPage() ? 1 : 0;
            if (++directories > MAX_DIRECTORIES) {
                throw unsupported(
                        "is a TIFF of more than " + MAX_DIRECTORIES + " images, or its directories form a loop");
            }
        }
        if (pages > 1) {
            throw unsupported("is a TIFF of " + pages + " pages; store one page per file, or lists of files");
        }
        first.checkPixels();
        return first;
    }

    long width() throws BrokenImageException {
        return number(WIDTH, 0);
    }

    long height() throws BrokenImageException {
        return number(HEIGHT, 0);
    }

    /** Index of the four bytes that mark the alpha channel as not premultiplied, or -1. */
    int unassociatedAlphaAt() throws BrokenImageException {
        return number(EXTRA_SAMPLES, 0) == UNASSOCIATED_ALPHA ? (int) entry(EXTRA_SAMPLES) + 8 : -1;
    }

    /** Whether all compressed data is in the file. */
    boolean isComplete() throws BrokenImageException {
        boolean isTiled = entry(TILE_WIDTH) != 0;
        long[] offsets = numbers(isTiled ? TILE_OFFSETS : STRIP_OFFSETS);
        long[] bytes = numbers(isTiled ? TILE_BYTE_COUNTS : STRIP_BYTE_COUNTS);
        for (int i = 0; i < Math.min(offsets.length, bytes.length); i++) {
            if (offsets[i] + bytes[i] > file.length()) {
                return false;
            }
        }
        return offsets.length == bytes.length;
    }

    private void checkPixels() throws BrokenImageException {
        long photometric = number(PHOTOMETRIC, -1);
        long compression = number(COMPRESSION, 1);
        long samples = number(SAMPLES_PER_PIXEL, 1);
        long[] bits = numbers(BITS_PER_SAMPLE);
        long depth = bits.length == 0 ? 1 : bits[0];
        boolean isUniform = bits.length == 0 ? samples == 1 : bits.length == samples && all(bits, depth);
        boolean isUnsigned = all(numbers(SAMPLE_FORMAT), 1);
        long extra = samples - colors(photometric);
        if (!isUniform
                || !isUnsigned
                || extra < 0
                || extra > 1
                || !isDepth(photometric, depth)
                || !isCompression(photometric, compression, depth, extra)
                || number(FILL_ORDER, 1) != 1
                || number(INK_SET, 1) != 1) {
            throw unsupported(
                    "is a TIFF of photometric " + photometric + ", compression " + compression + " and " + samples
                            + " samples of " + depth + " bits" + (isUnsigned ? "" : " (signed or floating-point)")
                            + ", which is not supported; convert it to RGB of 8 bits without compression or with LZW or deflate");
        }
        if (extra == 1 && (photometric == BLACK_IS_ZERO || photometric == RGB)) {
            checkAlpha();
        } else if (extra == 1) {
            throw unsupported("is a TIFF of photometric " + photometric + " with an extra channel; remove the channel");
        }
        if (photometric == PALETTE && Arrays.stream(numbers(COLOR_MAP)).allMatch(level -> level < 256)) {
            throw unsupported("is a TIFF whose palette has 8 bits per color instead of 16; convert it to RGB");
        }
        if (entry(TILE_WIDTH) != 0 && !isTiledAsStrips(photometric, depth, extra)) {
            throw unsupported(
                    "is a TIFF in tiles with an orientation, a palette, an extra channel of gray, or gray of other"
                            + " than 8 bits; store it in strips");
        }
    }

    private void checkAlpha() throws BrokenImageException {
        long[] kinds = numbers(EXTRA_SAMPLES);
        if (kinds.length > 1 || !(all(kinds, 0) || all(kinds, UNASSOCIATED_ALPHA))) {
            throw unsupported("is a TIFF whose colors are multiplied by its alpha channel (ExtraSamples "
                    + Arrays.toString(kinds) + "); store them not multiplied, or without alpha");
        }
    }

    private boolean isTiledAsStrips(long photometric, long depth, long extra) throws BrokenImageException {
        boolean isGray = photometric == WHITE_IS_ZERO || photometric == BLACK_IS_ZERO;
        return number(ORIENTATION, 1) == 1 && photometric != PALETTE && (!isGray || (depth == 8 && extra == 0));
    }

    private static long colors(long photometric) {
        return switch ((int) photometric) {
            case WHITE_IS_ZERO, BLACK_IS_ZERO, PALETTE -> 1;
            case RGB, YCC -> 3;
            case CMYK -> 4;
            default -> Integer.MAX_VALUE;
        };
    }

    private static boolean isDepth(long photometric, long depth) {
        return depth == 8
                || (depth == 1 && (photometric == WHITE_IS_ZERO || photometric == BLACK_IS_ZERO))
                || (depth == 16 && (photometric == BLACK_IS_ZERO || photometric == RGB));
    }

    private static boolean isCompression(long photometric, long compression, long depth, long extra) {
        return switch ((int) compression) {
            case 1, 5, 8, 32773, 32946 -> photometric != YCC;
            case 2, 3, 4 -> depth == 1;
            case JPEG -> depth == 8 && extra == 0 && photometric != CMYK && photometric != PALETTE;
            default -> false;
        };
    }

    private static boolean all(long[] values, long value) {
        return Arrays.stream(values).allMatch(each -> each == value);
    }

    private boolean isPage() throws BrokenImageException {
        return (number(SUBFILE_TYPE, 0) & (THUMBNAIL | MASK)) == 0;
    }

    /** The directory whose offset is at an index; at offset 0 if the file has no other directory. */
    private TiffPage at(long index) throws BrokenImageException {
        return new TiffPage(file, isLittle, u32(index));
    }

    private TiffPage next() throws BrokenImageException {
        return at(directory + 2 + (long) u16(directory) * ENTRY_BYTES);
    }

    /** Index of the field; 0 where there is none. */
    private long entry(int tag) throws BrokenImageException {
        int entries = u16(directory);
        for (int i = 0; i < entries; i++) {
            long at = directory + 2 + (long) i * ENTRY_BYTES;
            if (u16(at) == tag) {
                return at;
            }
        }
        return 0;
    }

    private long number(int tag, long orElse) throws BrokenImageException {
        long[] values = numbers(tag);
        return values.length == 0 ? orElse : values[0];
    }

    /** The values of a field of numbers; empty where the field is missing. */
    private long[] numbers(int tag) throws BrokenImageException {
        long entry = entry(tag);
        if (entry == 0) {
            return new long[0];
        }
        int type = u16(entry + 2);
        int bytes =
                switch (type) {
                    case 1 -> 1;
                    case 3 -> 2;
                    case 4 -> 4;
                    default ->
                        throw new BrokenImageException("is corrupted: its TIFF field " + tag + " has type " + type);
                };
        long count = u32(entry + 4);
        long from = count * bytes <= 4 ? entry + 8 : u32(entry + 8);
        if (from + count * bytes > file.length()) {
            throw new BrokenImageException(Kind.TRUNCATED, "is truncated within its TIFF field " + tag);
        }
        long[] values = new long[(int) count];
        for (int i = 0; i < count; i++) {
            long at = from + (long) i * bytes;
            values[i] = bytes == 1 ? file.at((int) at) : bytes == 2 ? u16(at) : u32(at);
        }
        return values;
    }

    private int u16(long at) throws BrokenImageException {
        int index = checked(at, 2);
        return isLittle ? file.littleEndian16(index) : file.bigEndian16(index);
    }

    private long u32(long at) throws BrokenImageException {
        int index = checked(at, 4);
        return isLittle ? file.littleEndian32(index) : file.bigEndian32(index);
    }

    private int checked(long at, int bytes) throws BrokenImageException {
        if (at > file.length() - bytes) {
            throw new BrokenImageException(
                    Kind.TRUNCATED, "is truncated: its TIFF directory reaches beyond its " + file.length() + " bytes");
        }
        return (int) at;
    }

    private static BrokenImageException unsupported(String message) {
        return new BrokenImageException(Kind.UNSUPPORTED, message);
    }
}
