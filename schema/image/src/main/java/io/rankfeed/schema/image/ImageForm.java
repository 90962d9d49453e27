package io.rankfeed.schema.image;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Formats that images are written in. */
public enum ImageForm {
    PNG,
    JPEG;

    private static final float JPEG_QUALITY = 0.9f;

    public byte[] encoded(RgbPixels pixels) {
        BufferedImage image = pixels.image();
        ImageWriter writer = ImageIO.getImageWritersByFormatName(this == PNG ? "png" : "jpeg")
                .next();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(out)) {
            writer.setOutput(stream);
            ImageWriteParam settings = writer.getDefaultWriteParam();
            if (this == JPEG) {
                settings.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                settings.setCompressionQuality(JPEG_QUALITY);
            }
            writer.write(null, new IIOImage(image, null, null), settings);
        } catch (IOException e) {
            throw new UncheckedIOException("a stream in memory failed", e);
        } finally {
            writer.dispose();
        }
        return out.toByteArray();
    }
}
