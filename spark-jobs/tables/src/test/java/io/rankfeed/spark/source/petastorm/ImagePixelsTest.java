package io.rankfeed.spark.source.petastorm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.petastorm.NumpyType;
import io.rankfeed.export.petastorm.Unfit;
import io.rankfeed.export.petastorm.UnischemaCodec;
import io.rankfeed.export.petastorm.UnischemaField;
import java.awt.image.BufferedImage;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class ImagePixelsTest {
    @Test
    void pixels_areRgbRowByRow() throws IOException, Unfit {
        BufferedImage image = new BufferedImage(2, 1, BufferedImage.TYPE_3BYTE_BGR);
        image.setRGB(0, 0, 0x010203);
        image.setRGB(1, 0, 0xFF8040);
        assertThat(ImagePixels.decoded(field(NumpyType.UINT8, 1, 2, 3), png(image)))
                .containsExactly(1, 2, 3, 0xFF, 0x80, 0x40);
    }

    @Test
    void grey_eitherDepth_keepsItsValues() throws IOException, Unfit {
        BufferedImage grey = new BufferedImage(2, 2, BufferedImage.TYPE_BYTE_GRAY);
        grey.getRaster().setPixels(0, 0, 2, 2, new int[] {0, 77, 128, 255});
        assertThat(ImagePixels.decoded(field(NumpyType.UINT8, 2, 2), png(grey))).containsExactly(0, 77, 128, 255);
        BufferedImage deep = new BufferedImage(2, 1, BufferedImage.TYPE_USHORT_GRAY);
        deep.getRaster().setPixels(0, 0, 2, 1, new int[] {0x0102, 0xFFFE});
        assertThat(ImagePixels.decoded(field(NumpyType.UINT16, -1, 2), png(deep)))
                .containsExactly(2, 1, 0xFE, 0xFF);
    }

    @Test
    void palette_isLookedUp() throws IOException, Unfit {
        BufferedImage image = new BufferedImage(1, 2, BufferedImage.TYPE_BYTE_INDEXED);
        image.setRGB(0, 0, 0xFFFF0000);
        image.setRGB(0, 1, 0xFF0000FF);
        assertThat(ImagePixels.decoded(field(NumpyType.UINT8, 2, 1, 3), png(image)))
                .containsExactly(0xFF, 0, 0, 0, 0, 0xFF);
    }

    @Test
    void shapeOrDepth_other_isUnfitBeforeDecoding() throws IOException {
        byte[] file = png(new BufferedImage(2, 2, BufferedImage.TYPE_3BYTE_BGR));
        for (UnischemaField field : List.of(
                field(NumpyType.UINT8, 3, 2, 3), field(NumpyType.UINT8, 2, 2), field(NumpyType.UINT16, 2, 2, 3))) {
            assertThatThrownBy(() -> ImagePixels.decoded(field, file)).isInstanceOf(Unfit.class);
        }
        byte[] huge = file.clone();
        huge[16] = 0x7F;
        huge[20] = 0x7F;
        assertThatThrownBy(() -> ImagePixels.decoded(field(NumpyType.UINT8, -1, 2, 3), huge))
                .isInstanceOf(Unfit.class);
        assertThatThrownBy(() -> ImagePixels.decoded(
                        field(NumpyType.UINT8, 2, 2, 3), png(new BufferedImage(2, 2, BufferedImage.TYPE_4BYTE_ABGR))))
                .isInstanceOf(Unfit.class)
                .hasMessageContaining("4 channels");
    }

    @Test
    void images_damaged_areDecodedOrUnfit() throws IOException {
        long seed = 5;
        Random random = new Random(seed);
        BufferedImage image = new BufferedImage(16, 16, BufferedImage.TYPE_3BYTE_BGR);
        WritableRaster raster = image.getRaster();
        for (int i = 0; i < 16 * 16; i++) {
            raster.setPixel(i % 16, i / 16, new int[] {random.nextInt(256), random.nextInt(256), random.nextInt(256)});
        }
        ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
        ImageIO.write(image, "jpeg", jpeg);
        int unfit = 0;
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = i % 2 == 0 ? png(image) : jpeg.toByteArray();
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(ImagePixels.decoded(field(NumpyType.UINT8, 16, 16, 3), bytes))
                        .as("seed %d, round %d", seed, i)
                        .hasSize(16 * 16 * 3);
            } catch (Unfit e) {
                unfit++;
            }
        }
        assertThat(unfit).isPositive();
    }

    private static UnischemaField field(NumpyType type, Integer... shape) {
        return new UnischemaField("x", type, List.of(shape), new UnischemaCodec.CompressedImage("png", 80), false);
    }

    private static byte[] png(BufferedImage image) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(image, "png", out);
        return out.toByteArray();
    }
}
