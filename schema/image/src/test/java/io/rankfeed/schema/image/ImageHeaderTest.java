package io.rankfeed.schema.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageHeaderTest {
    private static final Path GOLDEN = Path.of("src/test/resources/images");

    static Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN)) {
            return files.filter(file -> !file.toString().endsWith(".rgb")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyFormatSaysItsSizeAndOrientation(Path file) throws Exception {
        ImageHeader header = read(Files.readAllBytes(file));
        String name = file.getFileName().toString();
        assertThat(header.width()).isEqualTo(37);
        assertThat(header.height()).isEqualTo(23);
        assertThat(header.orientation())
                .isEqualTo(
                        name.contains("orientation-")
                                ? name.replaceAll(".*orientation-(.).*", "$1").charAt(0) - '0'
                                : 1);
        String suffix = name.substring(name.indexOf('.') + 1).toUpperCase(Locale.ROOT);
        assertThat(header.format().name()).isEqualTo(suffix.equals("JPG") ? "JPEG" : suffix);
        assertThat(header.isDecodedInJava()).isEqualTo(name.matches("cmyk.*jpg|animated.*png"));
        assertThat(header.isTruncated()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"rgb.bmp, 26", "rgba.png, 28", "lossy.webp, 30", "lossless.webp, 30", "rgb.tiff, 8"})
    void file_shorterThanItsHeader_isBroken(String name, int headerBytes) throws Exception {
        byte[] file = Files.readAllBytes(GOLDEN.resolve(name));
        if (!name.endsWith("tiff")) { // whose directory may be anywhere
            assertThat(read(Arrays.copyOf(file, headerBytes)).width()).isEqualTo(37);
        }
        assertThatThrownBy(() -> read(Arrays.copyOf(file, headerBytes - 1))).isInstanceOf(BrokenImageException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ycc-420.jpg", "progressive.jpg", "cmyk-adobe-0.jpg", "gray.jpg"})
    void aJpegIsTruncatedUntilItsLastByte(String name) throws Exception {
        byte[] file = Files.readAllBytes(GOLDEN.resolve(name));
        ImageHeader header = new ImageHeader();
        header.read(ImageBytes.of(file));
        int scan = new String(file, StandardCharsets.ISO_8859_1).indexOf("\u00ff\u00da");
        for (int length = scan + 20; length < file.length; length++) {
            header.read(ImageBytes.of(Arrays.copyOf(file, length)));
            assertThat(header.isTruncated())
                    .as("first %d of %d bytes", length, file.length)
                    .isTrue();
        }
        for (int more = 0; more < 5; more++) {
            header.read(ImageBytes.of(Arrays.copyOf(file, file.length + more)));
            assertThat(header.isTruncated()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 52, 56})
    void bmpWithMasks_withoutItsLastBytes_isTruncated(int headerBytes) throws Exception {
        int pixelsAt = Math.max(14 + headerBytes, 66);
        ByteBuffer file = ByteBuffer.allocate(pixelsAt + 4).order(ByteOrder.LITTLE_ENDIAN);
        file.put((byte) 'B').put((byte) 'M').putInt(10, pixelsAt).putInt(14, headerBytes);
        file.putInt(18, 1)
                .putInt(22, 1)
                .putShort(26, (short) 1)
                .putShort(28, (short) 32)
                .putInt(30, 3);
        file.putInt(54, 0xFF0000).putInt(58, 0xFF00).putInt(62, 0xFF);
        if (headerBytes == 56) {
            file.putInt(66, 0xFF000000);
        }
        assertThat(read(file.array()).isTruncated()).isFalse();
        for (int length = 26; length < file.capacity(); length++) {
            assertThat(read(Arrays.copyOf(file.array(), length)).isTruncated())
                    .as("first %d bytes", length)
                    .isTrue();
        }
    }

    /** A side beyond an int, and sides whose product is beyond a long, are no numbers to allocate by. */
    @Test
    void absurdSizesAreRefusedOrToldAsTheyAre() throws Exception {
        byte[] png = Files.readAllBytes(GOLDEN.resolve("rgba.png"));
        Arrays.fill(png, 16, 20, (byte) 0xFF);
        assertThatThrownBy(() -> read(png)).hasMessageContaining("the checksum of the PNG chunk at byte 8 differs");
        seal(png);
        assertThatThrownBy(() -> read(png)).hasMessageContaining("claims 4294967295 × 23 pixels");
        png[16] = 0x7F;
        Arrays.fill(png, 20, 24, (byte) 0xFF);
        png[20] = 0x7F;
        seal(png);
        assertThat(read(png).pixels()).isEqualTo((long) Integer.MAX_VALUE * Integer.MAX_VALUE);
        Arrays.fill(png, 20, 24, (byte) 0);
        seal(png);
        assertThatThrownBy(() -> read(png)).hasMessageContaining("no width and height");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "GIF89a", "RIFF....WAVE", "%PDF", "II+\0", "\u00ff\u00d8"})
    void otherBytesAreNoImage(String text) {
        assertThatThrownBy(() -> read(text.getBytes(StandardCharsets.ISO_8859_1)))
                .isInstanceOf(BrokenImageException.class)
                .hasMessageStartingWith("is ");
    }

    /** Whatever the bytes are, nothing but a rejection is thrown. */
    @ParameterizedTest
    @MethodSource("files")
    void changedBytesGiveAHeaderOrARejection(Path path) throws IOException {
        byte[] file = Files.readAllBytes(path);
        Random random = new Random(11);
        for (int i = 0; i < 2_000; i++) {
            byte[] changed = Arrays.copyOf(file, random.nextInt(file.length + 1));
            for (int j = 0; j < 3 && changed.length > 0; j++) {
                changed[random.nextInt(Math.min(changed.length, 200))] = (byte) random.nextInt(256);
            }
            try {
                ImageHeader header = read(changed);
                assertThat(header.pixels()).isPositive();
                assertThat(header.orientation()).isBetween(1, 8);
                header.isTruncated();
                header.isDecodedInJava();
            } catch (BrokenImageException rejected) {
                assertThat(rejected.getMessage()).matches("(is|has) .*");
            }
        }
    }

    /** A directory that is its own successor ends the search. */
    @Test
    void aLoopOfDirectoriesIsRefused() throws Exception {
        byte[] tiff = Files.readAllBytes(GOLDEN.resolve("rgb.tiff"));
        ByteBuffer bytes = ByteBuffer.wrap(tiff).order(ByteOrder.LITTLE_ENDIAN);
        int directory = bytes.getInt(4);
        bytes.putInt(directory + 2 + 12 * bytes.getShort(directory), directory);
        assertThatThrownBy(() -> read(tiff))
                .hasMessageContaining("more than 4096 images, or its directories form a loop");
    }

    /** Writes the checksum of a PNG's header. */
    private static void seal(byte[] png) {
        CRC32 checksum = new CRC32();
        checksum.update(png, 12, 17);
        ByteBuffer.wrap(png).putInt(29, (int) checksum.getValue());
    }

    private static ImageHeader read(byte[] file) throws BrokenImageException {
        ImageHeader header = new ImageHeader();
        header.read(ImageBytes.of(file));
        return header;
    }
}
