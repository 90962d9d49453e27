package io.rankfeed.schema.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class ResizeTest {
    /** The sizes are drawn by src/test/python/resize_golden.py, where Pillow resizes the same images. */
    @ParameterizedTest
    @CsvFileSource(resources = "/resize/resized.csv")
    void everySampleIsPillows(int width, int height, int newWidth, int newHeight, Resize filter, long crc) {
        CRC32 found = new CRC32();
        found.update(filter.of(image(width, height), newWidth, newHeight).bytes());
        assertThat(found.getValue()).isEqualTo(crc);
    }

    @Test
    void theSameSizeIsTheSameImage() {
        RgbPixels image = image(5, 4);
        assertThat(Resize.BICUBIC.of(image, 5, 4)).isSameAs(image);
    }

    private static RgbPixels image(int width, int height) {
        byte[] bytes = new byte[width * height * 3];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * i * 7 + 3 * i + i / 256 * 31);
        }
        return new RgbPixels(width, height, bytes);
    }
}
