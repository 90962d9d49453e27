package io.rankfeed.spark.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageFileTest {
    @ParameterizedTest
    @ValueSource(strings = {"png", "jpeg"})
    void aFileThatIsCutOffHasASizeAndNoPixels(String format) throws IOException, BrokenImageException {
        byte[] file = noise(format);
        byte[] half = Arrays.copyOf(file, file.length / 2);
        try (ImageFile image = ImageFile.open(half)) {
            assertThat(image.pixels()).isEqualTo(64 * 48);
            assertThatThrownBy(image::decoded)
                    .isInstanceOf(BrokenImageException.class)
                    .hasMessageContaining("is a damaged image");
        }
        try (ImageFile image = ImageFile.open(file)) {
            assertThat(image.decoded().getWidth()).isEqualTo(64);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"png", "jpeg"})
    void pixelsComeBackFromAFileOfThem(String format) throws IOException, BrokenImageException {
        byte[] file = noise(format);
        RgbPixels pixels;
        try (ImageFile image = ImageFile.open(file)) {
            pixels = RgbPixels.of(image.decoded());
        }
        try (ImageFile again = ImageFile.open(ImageForm.PNG.encoded(pixels))) {
            assertThat(RgbPixels.of(again.decoded()).bytes()).isEqualTo(pixels.bytes());
        }
        try (ImageFile again = ImageFile.open(ImageForm.JPEG.encoded(pixels))) {
            assertThat(again.height()).isEqualTo(48);
        }
    }

    private static byte[] noise(String format) throws IOException {
        BufferedImage image = new BufferedImage(64, 48, BufferedImage.TYPE_INT_RGB);
        Random random = new Random(1);
        for (int i = 0; i < 64 * 48; i++) {
            image.setRGB(i % 64, i / 64, random.nextInt(1 << 24));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(image, format, out);
        return out.toByteArray();
    }
}
