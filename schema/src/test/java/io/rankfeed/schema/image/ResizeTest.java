package io.rankfeed.schema.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResizeTest {
    private static final RgbPixels IMAGE = image();

    private static RgbPixels image() {
        byte[] bytes = new byte[5 * 4 * 3];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * i * 7 + 3 * i);
        }
        return new RgbPixels(5, 4, bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "3, 2, BILINEAR, 1871131473, 60, 55",
        "7, 6, BILINEAR, 4164409168, 0, 10",
        "3, 2, BICUBIC, 1271393811, 52, 50",
        "7, 5, BICUBIC, 1646852770, 0, 1"
    })
    void everySampleIsPillows(int width, int height, Resize filter, long crc, int first, int second) {
        RgbPixels resized = filter.of(IMAGE, width, height);
        CRC32 found = new CRC32();
        found.update(resized.bytes());
        assertThat(Arrays.copyOf(resized.bytes(), 2)).containsExactly(first, second);
        assertThat(found.getValue()).isEqualTo(crc);
    }

    @Test
    void theSameSizeIsTheSameImage() {
        assertThat(Resize.BICUBIC.of(IMAGE, 5, 4)).isSameAs(IMAGE);
    }
}
