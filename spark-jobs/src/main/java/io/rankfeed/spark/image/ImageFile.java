package io.rankfeed.spark.image;

import io.rankfeed.spark.run.Printable;
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

    private final ImageInputStream in;
    private final ImageReader reader;
    private final int width;
    private final int height;

    private ImageFile(ImageInputStream in, ImageReader reader) throws IOException {
        this.in = in;
        this.reader = reader;
        this.width = reader.getWidth(0);
        this.height = reader.getHeight(0);
    }

    /** @throws BrokenImageException if it is no PNG or JPEG, or its header is damaged */
    public static ImageFile open(byte[] file) throws BrokenImageException {
        ImageReader reader = reader(file);
        ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file));
        try {
            reader.setInput(in, true, true);
            return new ImageFile(in, reader);
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

    /** The whole image; call it only where {@link #pixels} are few enough. */
    public BufferedImage decoded() throws BrokenImageException {
        List<String> warnings = new ArrayList<>();
        reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
        try {
            BufferedImage image = reader.read(0);
            // The JPEG decoder makes grey of what is missing, and goes on.
            if (warnings.stream().anyMatch(warning -> warning.contains(CUT_OFF))) {
                throw new BrokenImageException("is a damaged image: it is cut off");
            }
            return image;
        } catch (IOException | RuntimeException e) {
            // The decoders meet damage with whatever exception comes first.
            throw damaged(e);
        }
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
        return new BrokenImageException("is a damaged image: " + Printable.of(String.valueOf(e.getMessage())));
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

    private static String format(byte[] file) throws BrokenImageException {
        if (file.length > 8 && file[0] == (byte) 0x89 && file[1] == 'P' && file[2] == 'N' && file[3] == 'G') {
            return "png";
        } else if (file.length > 3 && file[0] == (byte) 0xFF && file[1] == (byte) 0xD8) {
            return "jpeg";
        }
        throw new BrokenImageException("is neither a PNG nor a JPEG");
    }
}
