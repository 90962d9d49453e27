package io.rankfeed.schema.image;

/**
 * Format, size and orientation of an image file, from its header alone: what must be known before memory is allocated for its
 * pixels. Reused for each file; not safe for use by several threads.
 */
public final class ImageHeader {
    /** The most pixels of an image that may be decoded. */
    public static final int MAX_PIXELS = 1 << 26;

    /** Formats by their first bytes. */
    public enum Format {
        JPEG,
        PNG,
        WEBP,
        BMP,
        TIFF
    }

    private static final String PNG_SIGNATURE = "\u0089PNG\r\n\u001a\n";
    /** Length, type and checksum. */
    private static final int PNG_CHUNK_BYTES = 12;

    private final JpegMarkers jpeg = new JpegMarkers();
    private Format format = Format.JPEG;
    private long width;
    private long height;
    private int orientation;

    /** @throws BrokenImageException if the format is unsupported or the header corrupted */
    public void read(ImageBytes file) throws BrokenImageException {
        format = format(file);
        width = 0;
        height = 0;
        orientation = 1;
        switch (format) {
            case JPEG -> readJpeg(file);
            case PNG -> readPng(file);
            case WEBP -> readWebp(file);
            case BMP -> readBmp(file);
            case TIFF -> readTiff(file);
        }
        if (width < 1 || height < 1) {
            throw new BrokenImageException("is corrupted: its header has no width and height");
        }
        if (width > Integer.MAX_VALUE || height > Integer.MAX_VALUE) {
            throw new BrokenImageException("is corrupted: its header claims " + width + " × " + height + " pixels");
        }
    }

    public Format format() {
        return format;
    }

    /** Pixels per row, as stored, before any orientation is applied. */
    public int width() {
        return (int) width;
    }

    /** Rows, as stored, before any orientation is applied. */
    public int height() {
        return (int) height;
    }

    /** Width times height; what has more than {@link #MAX_PIXELS} must not be decoded. */
    public long pixels() {
        return width * height;
    }

    /** EXIF orientation, 1 to 8; 1 where there is none. */
    public int orientation() {
        return orientation;
    }

    /** Whether the file is a JPEG without its end marker. Reads the whole file only where the end is not where it should be. */
    public boolean isTruncatedJpeg() {
        return format == Format.JPEG && !jpeg.isComplete();
    }

    /** Whether the file is a JPEG in CMYK or YCCK. */
    public boolean isCmyk() throws BrokenImageException {
        return format == Format.JPEG
                && switch (jpeg.color()) {
                    case CMYK, YCCK -> true;
                    case GRAY, RGB, YCC -> false;
                };
    }

    JpegMarkers jpeg() {
        return jpeg;
    }

    static Format format(ImageBytes file) throws BrokenImageException {
        if (file.length() == 0) {
            throw new BrokenImageException("is empty (0 bytes)");
        } else if (file.has(0, "\u00ff\u00d8") && file.length() > 3) {
            return Format.JPEG;
        } else if (file.has(0, PNG_SIGNATURE)) {
            return Format.PNG;
        } else if (file.has(0, "RIFF") && file.has(8, "WEBP")) {
            return Format.WEBP;
        } else if (file.has(0, "BM")) {
            return Format.BMP;
        } else if (file.has(0, "II*\0") || file.has(0, "MM\0*")) {
            return Format.TIFF;
        }
        throw new BrokenImageException("is neither a PNG nor a JPEG, WebP, BMP or TIFF");
    }

    private void readJpeg(ImageBytes file) {
        jpeg.read(file);
        width = jpeg.width();
        height = jpeg.height();
        orientation = jpeg.orientation();
    }

    private void readPng(ImageBytes file) {
        int at = PNG_SIGNATURE.length();
        if (file.length() < at + PNG_CHUNK_BYTES + 8 || !file.has(at + 4, "IHDR")) {
            return;
        }
        width = file.bigEndian32(at + 8);
        height = file.bigEndian32(at + 12);
        while (at + PNG_CHUNK_BYTES <= file.length()) {
            long end = at + PNG_CHUNK_BYTES + file.bigEndian32(at);
            if (end > file.length()) {
                return;
            }
            if (file.has(at + 4, "eXIf")) {
                orientation = TiffDirectory.orientation(file, at + 8, (int) end - 4);
                return;
            }
            at = (int) end;
        }
    }

    private void readWebp(ImageBytes file) {
        if (file.length() < 30) {
            return;
        }
        if (file.has(12, "VP8 ") && file.has(23, "\u009d\u0001*")) {
            width = file.littleEndian16(26) & 0x3FFF;
            height = file.littleEndian16(28) & 0x3FFF;
        } else if (file.has(12, "VP8L") && file.at(20) == 0x2F) {
            long bits = file.littleEndian32(21);
            width = (bits & 0x3FFF) + 1;
            height = (bits >> 14 & 0x3FFF) + 1;
        } else if (file.has(12, "VP8X")) {
            width = (file.littleEndian16(24) | file.at(26) << 16) + 1L;
            height = (file.littleEndian16(27) | file.at(29) << 16) + 1L;
            readWebpExif(file);
        }
    }

    private void readWebpExif(ImageBytes file) {
        int at = 12;
        while (at + 8 <= file.length()) {
            long bytes = file.littleEndian32(at + 4);
            if (at + 8 + bytes > file.length()) {
                return;
            }
            if (file.has(at, "EXIF")) {
                int skipped = file.has(at + 8, "Exif\0\0") ? 6 : 0;
                orientation = TiffDirectory.orientation(file, at + 8 + skipped, at + 8 + (int) bytes);
                return;
            }
            // Chunks are padded to an even length.
            at += (int) Math.min(8 + bytes + (bytes & 1), file.length() - at);
        }
    }

    private void readBmp(ImageBytes file) {
        if (file.length() < 26) {
            return;
        }
        if (file.littleEndian32(14) == 12) {
            width = file.littleEndian16(18);
            height = file.littleEndian16(20);
        } else {
            width = (int) file.littleEndian32(18);
            // A negative height says that the first row is at the top.
            height = Math.abs((long) (int) file.littleEndian32(22));
        }
    }

    /** The orientation stays 1: decoders apply that of a TIFF themselves. */
    private void readTiff(ImageBytes file) {
        width = TiffDirectory.side(file, TiffDirectory.WIDTH);
        height = TiffDirectory.side(file, TiffDirectory.HEIGHT);
    }
}
