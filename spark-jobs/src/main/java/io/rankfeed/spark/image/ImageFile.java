package io.rankfeed.spark.image;

import io.rankfeed.schema.failure.Printable;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** A PNG or JPEG file whose header is read; its pixels are not. */
public final class ImageFile implements AutoCloseable {
    private static final String CUT_OFF = "premature end of data";

    private final byte[] file;
    private final ImageInputStream in;
    private final ImageReader reader;
    private final int width;
    private final int height;

    private ImageFile(byte[] file, ImageInputStream in, ImageReader reader) throws IOException {
        this.file = file;
        this.in = in;
        this.reader = reader;
        this.width = reader.getWidth(0);
        this.height = reader.getHeight(0);
    }

    /** @throws BrokenImageException if it is not a PNG or JPEG, or its header is damaged */
    public static ImageFile open(byte[] file) throws BrokenImageException {
        ImageReader reader = reader(file);
        ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file));
        try {
            reader.setInput(in, true, true);
            return new ImageFile(file, in, reader);
        } catch (IOException | RuntimeException e) {
            reader.dispose();
            throw damaged(e);
        }
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }

    public long pixels() {
        return (long) width * height;
    }

    /** The whole image, a complete one; call it only where {@link #pixels} are few enough. */
    public BufferedImage decoded() throws BrokenImageException {
        return decoded(Decoding.STRICT);
    }

    /** Its pixels, turned as its orientation says where this is chosen; call it only where {@link #pixels} are few enough. */
    public RgbPixels rgb(Decoding decoding) throws BrokenImageException {
        RgbPixels pixels = RgbPixels.of(decoded(decoding));
        return decoding.appliesOrientation() ? ExifOrientation.applied(orientation(), pixels) : pixels;
    }

    private int orientation() {
        return isJpeg(file) ? JpegMarkers.of(file).orientation() : PngChunks.orientation(file);
    }

    private BufferedImage decoded(Decoding decoding) throws BrokenImageException {
        List<String> warnings = new ArrayList<>();
        reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
        try {
            if (!isJpeg(file)) {
                return reader.read(0);
            }
            JpegMarkers markers = JpegMarkers.of(file);
            JpegMarkers.Color color = markers.color();
            if (!markers.isComplete() && !decoding.toleratesTruncated()) {
                throw truncated();
            }
            BufferedImage image = JpegColors.converted(reader.readRaster(0, null), color);
            // The JPEG decoder makes gray of what is missing, and continues.
            if (!decoding.toleratesTruncated() && warnings.stream().anyMatch(warning -> warning.contains(CUT_OFF))) {
                throw truncated();
            }
            return image;
        } catch (IOException | RuntimeException e) {
            // The decoders throw whatever exception comes first.
            throw damaged(e);
        }
    }

    private static BrokenImageException truncated() {
        return new BrokenImageException("is truncated (prepare.images.tolerate-truncated: true accepts such images)");
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

    private static ImageReader reader(byte[] file) throws BrokenImageException {
        String format = format(file);
        Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(format);
        if (!readers.hasNext()) {
            throw new BrokenImageException(
                    "is an image of the format " + format + ", for which this Java has no decoder");
        }
        return readers.next();
    }

    private static boolean isJpeg(byte[] file) {
        return file.length > 3 && file[0] == (byte) 0xFF && file[1] == (byte) 0xD8;
    }

    private static String format(byte[] file) throws BrokenImageException {
        if (file.length > 8 && file[0] == (byte) 0x89 && file[1] == 'P' && file[2] == 'N' && file[3] == 'G') {
            return "png";
        } else if (isJpeg(file)) {
            return "jpeg";
        }
        throw new BrokenImageException(file.length == 0 ? "is empty (0 bytes)" : "is neither a PNG nor a JPEG");
    }
}
