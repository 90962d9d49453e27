package io.rankfeed.schema.image;

import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.image.BrokenImageException.Kind;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** A PNG or JPEG file whose header is read; its pixels are not. */
public final class ImageFile implements AutoCloseable {
    private static final String CUT_OFF = "premature end of data";

    /** Warnings after which JPEG decoders give different pixels: of Huffman tables, scans, restart markers and their data. */
    private static final Pattern GUESSED =
            Pattern.compile("Corrupt JPEG data: (bad Huffman code|found marker .*|.* before marker 0x(c4|d[0-7ad]))"
                    + "|Unsupported marker type.*|Invalid SOS parameters.*");

    private final byte[] file;
    private final ImageHeader header;
    private final ImageInputStream in;
    private final ImageReader reader;

    private ImageFile(byte[] file, ImageHeader header, ImageInputStream in, ImageReader reader) {
        this.file = file;
        this.header = header;
        this.in = in;
        this.reader = reader;
    }

    /** @throws BrokenImageException if it is not a PNG or JPEG, or its header is corrupted */
    public static ImageFile open(byte[] file) throws BrokenImageException {
        ImageBytes bytes = ImageBytes.of(file);
        ImageHeader header = new ImageHeader();
        ImageHeader.Format format = ImageHeader.format(bytes);
        if (format != ImageHeader.Format.JPEG && format != ImageHeader.Format.PNG) {
            throw new BrokenImageException("is neither a PNG nor a JPEG");
        }
        header.read(bytes);
        ImageReader reader = reader(format);
        ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file));
        reader.setInput(in, true, true);
        return new ImageFile(file, header, in, reader);
    }

    public int width() {
        return header.width();
    }

    public int height() {
        return header.height();
    }

    public long pixels() {
        return header.pixels();
    }

    /** The whole image, a complete one; call it only where {@link #pixels} are few enough. */
    public BufferedImage decoded() throws BrokenImageException {
        return decoded(Decoding.STRICT);
    }

    /**
     * Decodes the pixels, and applies the EXIF orientation if {@code decoding} says so; check {@link #pixels} first,
     * because all are in memory.
     */
    public RgbPixels rgb(Decoding decoding) throws BrokenImageException {
        RgbPixels pixels = RgbPixels.of(decoded(decoding));
        return decoding.appliesOrientation() ? pixels.turned(header.orientation()) : pixels;
    }

    private BufferedImage decoded(Decoding decoding) throws BrokenImageException {
        List<String> warnings = new ArrayList<>();
        reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
        try {
            if (header.format() != ImageHeader.Format.JPEG) {
                if (header.isTruncated()) {
                    throw new BrokenImageException(Kind.TRUNCATED, "is truncated: it has no IEND chunk");
                }
                PngChunks.checkPixels(file);
                return reader.read(0);
            }
            if (header.isTruncated() && !decoding.toleratesTruncated()) {
                throw truncated();
            }
            BufferedImage image = JpegColors.converted(reader.readRaster(0, null), header.jpeg());
            // The JPEG decoder makes gray of what is missing, and continues.
            if (!decoding.toleratesTruncated() && warnings.stream().anyMatch(warning -> warning.contains(CUT_OFF))) {
                throw truncated();
            }
            for (String warning : warnings) {
                if (!decoding.toleratesTruncated() && GUESSED.matcher(warning).matches()) {
                    throw new BrokenImageException("is corrupted: " + Printable.of(warning));
                }
            }
            return image;
        } catch (IOException | RuntimeException e) {
            // The decoders throw whatever exception comes first.
            throw damaged(e);
        }
    }

    private static BrokenImageException truncated() {
        return new BrokenImageException(
                Kind.TRUNCATED, "is truncated (prepare.images.tolerate-truncated: true accepts such images)");
    }

    @Override
    public void close() {
        reader.dispose();
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a stream in memory failed", e);
        }
    }

    private static BrokenImageException damaged(Exception e) {
        return new BrokenImageException("is corrupted: " + Printable.of(String.valueOf(e.getMessage())));
    }

    private static ImageReader reader(ImageHeader.Format format) throws BrokenImageException {
        Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(format.name());
        if (!readers.hasNext()) {
            throw new BrokenImageException(
                    "is an image of the format " + format + ", for which this Java has no decoder");
        }
        return readers.next();
    }
}
