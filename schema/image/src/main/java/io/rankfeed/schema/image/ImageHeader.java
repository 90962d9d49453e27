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

    private final JpegMarkers jpeg = new JpegMarkers();
    private Format format = Format.JPEG;
    private long width;
    private long height;
    private int orientation;
    private boolean isAnimatedPng;
    private boolean isComplete;
    private int unassociatedAlphaAt;
    private int webpImageEnd;

    /** @throws BrokenImageException if the format or a property in the header is unsupported, or the header is corrupted */
    public void read(ImageBytes file) throws BrokenImageException {
        format = format(file);
        width = 0;
        height = 0;
        orientation = 1;
        isAnimatedPng = false;
        isComplete = true;
        unassociatedAlphaAt = -1;
        webpImageEnd = 0;
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

    /** Whether the file lacks pixels at its end. Reads a whole JPEG only if its end marker is not at the end of the file. */
    public boolean isTruncated() {
        return format == Format.JPEG ? !jpeg.isComplete() : !isComplete;
    }

    /** Whether {@link ImageFile} must decode the file: native decoders differ for CMYK JPEGs and animated PNGs. */
    public boolean isDecodedInJava() throws BrokenImageException {
        return isAnimatedPng
                || (format == Format.JPEG
                        && switch (jpeg.color()) {
                            case CMYK, YCCK -> true;
                            case GRAY, RGB, YCC -> false;
                        });
    }

    /** Whether the file is a JPEG of several scans: decoders keep its coefficients of the whole image. */
    public boolean isBufferedJpeg() {
        return format == Format.JPEG && jpeg.isBuffered();
    }

    /**
     * Index of four bytes in a TIFF, or -1 if it has none. They make libtiff multiply the colors by the alpha channel; with zeros
     * instead it does not.
     */
    public int unassociatedAlphaAt() {
        return unassociatedAlphaAt;
    }

    /**
     * Index after the pixels of a WebP of one image; else 0. The decoder must not get the bytes after it: if the pixels
     * are corrupted, it would read on there.
     */
    public int webpImageEnd() {
        return webpImageEnd;
    }

    JpegMarkers jpeg() {
        return jpeg;
    }

    static Format format(ImageBytes file) throws BrokenImageException {
        if (file.length() == 0) {
            throw new BrokenImageException("is empty (0 bytes)");
        } else if (file.has(0, "\u00ff\u00d8\u00ff") && file.length() > 3) {
            return Format.JPEG;
        } else if (file.has(0, PngChunks.SIGNATURE)) {
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

    private void readPng(ImageBytes file) throws BrokenImageException {
        PngChunks png = PngChunks.of(file);
        width = png.width();
        height = png.height();
        orientation = png.orientation();
        isAnimatedPng = png.isAnimated();
        isComplete = png.isComplete();
    }

    private void readWebp(ImageBytes file) throws BrokenImageException {
        WebpChunks webp = WebpChunks.of(file);
        width = webp.width();
        height = webp.height();
        orientation = webp.orientation();
        webpImageEnd = webp.imageEnd();
        isComplete = webp.isComplete();
    }

    private void readBmp(ImageBytes file) throws BrokenImageException {
        BmpHeader bmp = BmpHeader.of(file);
        width = bmp.width();
        height = bmp.height();
        isComplete = bmp.isComplete();
        if (isComplete && pixels() <= MAX_PIXELS) {
            bmp.checkPixels(file);
        }
    }

    /** The orientation stays 1: decoders apply that of a TIFF themselves. */
    private void readTiff(ImageBytes file) throws BrokenImageException {
        TiffPage page = TiffPage.only(file);
        width = page.width();
        height = page.height();
        isComplete = page.isComplete();
        unassociatedAlphaAt = page.unassociatedAlphaAt();
    }
}
