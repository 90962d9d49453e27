package io.rankfeed.schema.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageFileTest {
    private static final Path GOLDEN = Path.of("src/test/resources/images");

    @ParameterizedTest
    @ValueSource(strings = {"png", "jpeg"})
    void aFileThatIsCutOffHasASizeAndNoPixels(String format) throws IOException, BrokenImageException {
        byte[] file = noise(format);
        byte[] half = Arrays.copyOf(file, file.length / 2);
        try (ImageFile image = ImageFile.open(half)) {
            assertThat(image.pixels()).isEqualTo(64 * 48);
            assertThatThrownBy(image::decoded)
                    .isInstanceOf(BrokenImageException.class)
                    .hasMessageMatching("(?s)is (corrupted|truncated).*");
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

    static Stream<String> goldenFiles() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jpg") || name.endsWith(".png"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    /** The files and pixels of images_golden.py: JPEG components, markers and orientations, PNG channels. */
    @ParameterizedTest
    @MethodSource("goldenFiles")
    void pixelsAreThoseOfPillow(String name) throws IOException, BrokenImageException {
        RgbPixels pixels = rgb(Files.readAllBytes(GOLDEN.resolve(name)), new Decoding(true, false));
        assertThat(pixels.width()).isEqualTo(name.matches("orientation-[5-8].jpg") ? 23 : 37);
        assertThat(pixels.bytes()).isEqualTo(Files.readAllBytes(GOLDEN.resolve(name + ".rgb")));
    }

    @Test
    void orientationIsIgnoredUnlessItIsToBeApplied() throws IOException, BrokenImageException {
        byte[] upright = Files.readAllBytes(GOLDEN.resolve("orientation-1.jpg.rgb"));
        for (int orientation = 1; orientation <= 8; orientation++) {
            byte[] file = Files.readAllBytes(GOLDEN.resolve("orientation-" + orientation + ".jpg"));
            assertThat(rgb(file, Decoding.STRICT).bytes()).isEqualTo(upright);
        }
    }

    /** Pillow rejects each of these files too. */
    @ParameterizedTest
    @ValueSource(strings = {"ycc-420.jpg", "progressive.jpg", "cmyk-adobe-0.jpg", "gray.jpg"})
    void aJpegWithoutItsLastBytesIsTruncated(String name) throws IOException, BrokenImageException {
        byte[] file = Files.readAllBytes(GOLDEN.resolve(name));
        for (int missing : new int[] {1, 2, 3, 20, 100}) {
            byte[] cut = Arrays.copyOf(file, file.length - missing);
            assertThatThrownBy(() -> rgb(cut, Decoding.STRICT))
                    .isInstanceOf(BrokenImageException.class)
                    .hasMessageContaining("is truncated");
            assertThat(rgb(cut, new Decoding(false, true)).width()).isEqualTo(37);
        }
        byte[] longer = Arrays.copyOf(file, file.length + 7);
        assertThat(rgb(longer, Decoding.STRICT).width()).isEqualTo(37);
    }

    @Test
    void anEmptyFileIsNoImage() {
        assertThatThrownBy(() -> ImageFile.open(new byte[0]))
                .isInstanceOf(BrokenImageException.class)
                .hasMessage("is empty (0 bytes)");
    }

    /** Whatever a byte is changed to, an image is decoded or rejected; nothing else is thrown. */
    @ParameterizedTest
    @MethodSource("goldenFiles")
    void changedBytesGiveAnImageOrARejection(String name) throws IOException {
        byte[] file = Files.readAllBytes(GOLDEN.resolve(name));
        Random random = new Random(7);
        for (int i = 0; i < 60; i++) {
            byte[] changed = file.clone();
            changed[random.nextInt(file.length)] = (byte) random.nextInt(256);
            changed = Arrays.copyOf(changed, random.nextInt(file.length / 2, file.length + 1));
            try (ImageFile image = ImageFile.open(changed)) {
                if (image.pixels() < 1 << 20) {
                    assertThat(image.rgb(new Decoding(true, true)).bytes()).hasSize((int) image.pixels() * 3);
                }
            } catch (BrokenImageException rejected) {
                assertThat(rejected).hasMessageStartingWith("is ");
            }
        }
    }

    /** Its checksums find the change of any byte before the pixels end. */
    @ParameterizedTest
    @MethodSource("goldenFiles")
    void aChangedByteOfAPngIsFoundOrChangesNoPixel(String name) throws IOException {
        assumeThat(name).endsWith(".png");
        byte[] file = Files.readAllBytes(GOLDEN.resolve(name));
        byte[] pixels = Files.readAllBytes(GOLDEN.resolve(name + ".rgb"));
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int refused = 0;
        for (int at = 0; at < file.length; at++) {
            byte[] changed = file.clone();
            changed[at] ^= (byte) (1 + random.nextInt(255));
            try {
                assertThat(rgb(changed, new Decoding(true, false)).bytes())
                        .as("byte " + at + ", seed " + seed)
                        .isEqualTo(pixels);
            } catch (BrokenImageException rejected) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ycc-444.jpg", "cmyk-adobe-2.jpg", "gray.jpg"})
    void jpeg_extraByteInTables_isCorrupted(String name) throws IOException {
        byte[] file = Files.readAllBytes(GOLDEN.resolve(name));
        int at = 2;
        while ((file[at + 1] & 0xFF) != 0xDA) {
            at += 2 + (((file[at + 2] & 0xFF) << 8) | (file[at + 3] & 0xFF));
        }
        byte[] longer = Arrays.copyOf(file, file.length + 1);
        System.arraycopy(file, at, longer, at + 1, file.length - at);
        longer[at] = 0x11;
        assertThatThrownBy(() -> rgb(longer, Decoding.STRICT))
                .isInstanceOf(BrokenImageException.class)
                .hasMessage("is corrupted: Corrupt JPEG data: 1 extraneous bytes before marker 0xda");
    }

    private static RgbPixels rgb(byte[] file, Decoding decoding) throws BrokenImageException {
        try (ImageFile image = ImageFile.open(file)) {
            return image.rgb(decoding);
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
