package io.rankfeed.importing.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.importing.index.Damages;
import io.rankfeed.importing.index.ForeignDataset;
import io.rankfeed.importing.index.ForeignDataset.Part;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.Values;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.testing.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are damaged, hostile or of an unsupported kind end in a message with the file, or in samples that are named and left out. */
class ForeignDamageTest {
    private static final Path FOLDER = Path.of("src/test/resources/foreign");

    @TempDir
    Path folder;

    /** Bytes that are changed, cut, or inserted anywhere: no value is outside of its file, and no other exception is thrown. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "npy",
                "enn",
                "enn-ids",
                "enn-several",
                "image-mmap",
                "megatron",
                "huggingface",
                "arrow",
                "webdataset",
                "tars"
            })
    void drawnDamage_isFoundOrHarmless(String name) throws IOException {
        copy(FOLDER.resolve(name), folder);
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.filter(Files::isRegularFile).sorted().toList();
        }
        Random random = new Random(Seed.of(ForeignDamageTest.class));
        int refused = 0;
        for (int i = 0; i < Seed.cases(150); i++) {
            Path file = files.get(random.nextInt(files.size()));
            byte[] whole = Files.readAllBytes(file);
            Files.write(file, damaged(whole, random));
            try {
                requireInBounds();
            } catch (RankfeedException e) {
                assertThat(e.getMessage()).contains(folder.toString());
                refused++;
            } finally {
                Files.write(file, whole);
            }
        }
        assertThat(refused).isPositive();
        requireInBounds();
    }

    private static byte[] damaged(byte[] whole, Random random) {
        int at = random.nextInt(whole.length);
        if (random.nextInt(4) == 0) {
            return Arrays.copyOf(whole, at);
        }
        byte[] damaged = whole.clone();
        // Headers and indexes are at the beginning of most files.
        at = random.nextBoolean() ? at : random.nextInt(Math.min(whole.length, 600));
        for (int i = 0; i < 1 + random.nextInt(4) && at + i < whole.length; i++) {
            damaged[at + i] = (byte) (random.nextInt(3) == 0 ? 0xFF : random.nextInt(256));
        }
        return damaged;
    }

    private void requireInBounds() throws IOException {
        requireInBounds(folder);
    }

    static void requireInBounds(Path folder) throws IOException {
        ForeignDataset dataset = Formats.open(folder, Optional.empty());
        for (Part part : dataset.parts()) {
            IndexedPart indexed = dataset.index(part, Set.of());
            for (IndexedColumn column : indexed.columns()) {
                long bytes = Files.size(folder.resolve(part.files().get(column.file())));
                for (long row = 0; row < indexed.rows(); row++) {
                    if (column.values() instanceof Values.Located at
                            && at.length(row) != Values.MISSING
                            && !indexed.damages().isDamaged(row)) {
                        assertThat(at.offset(row)).isBetween(0L, bytes);
                        assertThat(at.length(row)).isBetween(0L, bytes - at.offset(row));
                    }
                }
            }
        }
    }

    @Test
    void image_outsideOfItsFile_isNamedAndTheOthersKeepTheirNumbers() throws IOException {
        ByteBuffer file = ByteBuffer.allocate(8 + 3 * 16 + 30).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(3)
                .putLong(56)
                .putLong(10)
                .putLong(66)
                .putLong(21)
                .putLong(76)
                .putLong(10);
        Files.write(folder.resolve("i.mmap"), file.array());

        IndexedPart part = index();

        assertThat(part.rows()).isEqualTo(3);
        assertThat(part.damages().named())
                .extracting(Damages.Damage::toString)
                .containsExactly("i.mmap, byte 24: image 1 of 21 bytes at byte 66 is outside of bytes 56 to 86");
        assertThat(part.damages().isDamaged(1)).isTrue();
        assertThat(((Values.Located) part.columns().get(0).values()).offset(2)).isEqualTo(76);
        assertThat(part.columns().get(0).field().nullable()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1, 1, 1, 1, 1, 1, 1, 1, 1]|has 9 dimensions; at most 8",
                "[65536, 65536]|has 2^31 elements or more",
                "[0]|label_shape has a dimension of 0"
            })
    void labelShape_thatIsNone_isNamedWithItsFile(String shape, String message) throws IOException {
        copy(FOLDER.resolve("enn"), folder);
        Path meta = folder.resolve("meta.json");
        String changed = Files.readString(meta).replaceFirst("(?s)(\"label_shape\": )\\[[^]]*\\]", "$1" + shape);
        Files.writeString(meta, changed);

        assertThatThrownBy(this::index)
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(meta.toString())
                .hasMessageContaining("label_shape")
                .hasMessageContaining(message);
    }

    /** The count of a hostile file is compared with its length before anything is allocated. */
    @ParameterizedTest
    @CsvSource({"i.mmap, 0", "t.idx, 18", "t.idx, 26"})
    void count_beyondTheFile_isRefused(String name, int at) throws IOException {
        ByteBuffer file = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
        file.put("MMIDIDX\0\0".getBytes(StandardCharsets.US_ASCII)).putLong(1).put((byte) 8);
        file.putLong(at, 1L << 60);
        Files.write(folder.resolve(name), file.array());
        Files.write(folder.resolve("t.bin"), new byte[10]);

        assertThatThrownBy(this::index).isInstanceOf(CorruptDataException.class).hasMessageContaining(name);
    }

    @Test
    void tar_truncated_keepsTheSamplesBefore() throws IOException {
        byte[] whole = Files.readAllBytes(FOLDER.resolve("webdataset/000.tar"));
        IndexedPart all = index(FOLDER.resolve("webdataset"), 0);
        long secondSample = ((Values.Located) column(all, "jpg").values()).offset(1);
        Files.write(folder.resolve("t.tar"), Arrays.copyOf(whole, (int) secondSample + 1));

        IndexedPart part = index();

        assertThat(part.keys()).containsExactly(all.keys().get(0));
        assertThat(part.damages().count()).isEqualTo(1);
        assertThat(part.damages().named().get(0).toString())
                .startsWith("t.tar, byte ")
                .contains("the samples from 1 on are lost")
                .contains("does not fit into the file's");
    }

    /** In a file that was cut between two members, each member is valid. */
    @Test
    void tar_withoutEnd_losesItsLastSample() throws IOException {
        Files.write(folder.resolve("t.tar"), Arrays.copyOf(tar("a.txt", "1", "b.txt", "2", "b.cls", "3"), 4 * 512));

        IndexedPart part = index();

        assertThat(part.keys()).containsExactly("a");
        assertThat(part.damages().named().get(0).toString()).contains("the samples from 1 on are lost");
    }

    /** The last sample is damaged, and then lost with the end of the file. */
    @Test
    void tar_withoutEndAfterDuplicateExtension_keepsTheSamplesBefore() throws IOException {
        Files.write(folder.resolve("t.tar"), Arrays.copyOf(tar("a.txt", "1", "b.txt", "2", "b.TXT", "3"), 6 * 512));

        IndexedPart part = index();

        assertThat(part.rows()).isEqualTo(1);
        assertThat(part.wholeRows()).isEqualTo(1);
    }

    @Test
    void tar_duplicateExtensionOrTextForInteger_isADamagedSample() throws IOException {
        Files.write(
                folder.resolve("t.tar"),
                tar("a.txt", "1", "a.TXT", "2", "b.cls", "x", "b.txt", "3", "c.txt", "4", "c.cls", " 7\n"));

        IndexedPart part = index();

        assertThat(part.keys()).containsExactly("a", "b", "c");
        assertThat(part.damages().named())
                .extracting(Damages.Damage::toString)
                .containsExactly(
                        "t.tar, byte 1024: member 'a.TXT' is a duplicate in its sample",
                        "t.tar, byte 2560: member 'b.cls' is not an integer");
        assertThat(part.damages().isDamaged(0) && part.damages().isDamaged(1)).isTrue();
        assertThat(part.damages().isDamaged(2)).isFalse();
        assertThat(((Values.Numbers) column(part, "cls").values()).bits(2)).isEqualTo(7);
    }

    @Test
    void link_isNotASample() throws IOException {
        Files.createDirectory(folder.resolve("a"));
        Files.write(folder.resolve("a/1.jpg"), new byte[] {1});
        Files.write(folder.resolve("a/empty.jpg"), new byte[0]);
        Files.createSymbolicLink(folder.resolve("a/2.jpg"), Path.of("1.jpg"));

        IndexedPart part = index();

        assertThat(part.damages().named()).extracting(Damages.Damage::file).containsExactly("a/empty.jpg", "a/2.jpg");
        assertThat(part.damages().isDamaged(0)).isFalse();
    }

    @Test
    void path_thatLeavesTheRoot_isRefused() throws IOException {
        Path inside = Files.createDirectory(folder.resolve("inside"));
        Files.write(folder.resolve("features.mmt"), new byte[8]);
        for (String path : List.of("../features.mmt", "/etc/passwd", "a/../../features.mmt", "", "a\\u0000b")) {
            Files.writeString(
                    inside.resolve("meta.json"), "{\"N\": 1, \"feature_dim\": 1, \"features_path\": \"" + path + "\"}");
            assertThatThrownBy(() -> index(inside, 0))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(inside.toString());
        }
        Files.createSymbolicLink(inside.resolve("link"), folder);
        Files.writeString(
                inside.resolve("meta.json"),
                "{\"N\": 1, \"feature_dim\": 1, \"features_path\": \"link/features.mmt\"}");
        assertThatThrownBy(() -> index(inside, 0)).hasMessageContaining("is a symbolic link; links are not followed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), };little-endian",
                "{'descr': '|O', 'fortran_order': False, 'shape': (1,), };unsupported",
                "{'descr': '<U1', 'fortran_order': False, 'shape': (2,), };unsupported",
                "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), };unsupported",
                "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), };unsupported",
                "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 1), };Fortran",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (), };requires 4",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), };requires 12",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9), };not a dimension",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (999999999999999999, 99), };2^63",
                "__import__('os').system('true');not a dictionary"
            })
    void npy_ofAnotherKind_isRefused(String header, String why) throws IOException {
        ByteBuffer file = ByteBuffer.allocate(10 + header.length() + 9).order(ByteOrder.LITTLE_ENDIAN);
        file.put("\u0093NUMPY\1\0".getBytes(StandardCharsets.ISO_8859_1)).putShort((short) (header.length() + 1));
        file.put((header + "\n").getBytes(StandardCharsets.ISO_8859_1));
        Files.write(folder.resolve("x.npy"), Arrays.copyOf(file.array(), file.position() + 8));

        assertThatThrownBy(this::index)
                .isInstanceOf(RankfeedException.class)
                .hasMessageContaining("x.npy")
                .hasMessageContaining(why);
    }

    @Test
    void npy_ofOtherNumberOfSamples_isRefused() throws IOException {
        Files.copy(FOLDER.resolve("npy/a/x.npy"), folder.resolve("x.npy"));
        Files.copy(FOLDER.resolve("npy/b/label.npy"), folder.resolve("label.npy"));
        assertThatThrownBy(this::index)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("x.npy has 7 samples")
                .hasMessageContaining("label.npy has 2");
    }

    @Test
    void tar_compressed_isRefused() throws IOException {
        Files.write(folder.resolve("t.tar"), new byte[] {0x1F, (byte) 0x8B, 8, 0});
        assertThatThrownBy(this::index).isInstanceOf(ConfigException.class).hasMessageContaining("is compressed");
    }

    @Test
    void format_isNamedOrRecognized() throws IOException {
        assertThatThrownBy(() -> Formats.open(folder, Optional.empty()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has no files of a known format");
        assertThatThrownBy(() -> Formats.open(folder, Optional.of("webdatset")))
                .hasMessageContaining("unknown format 'webdatset'")
                .hasMessageContaining("webdataset");
        Files.write(folder.resolve("a.npy"), new byte[1]);
        Files.write(folder.resolve("a.jpg"), new byte[1]);
        assertThatThrownBy(() -> Formats.open(folder, Optional.empty())).hasMessageContaining("images, npy");
        assertThat(Formats.open(folder, Optional.of("images")).parts()).hasSize(1);
        assertThat(Formats.open(FOLDER.resolve("npy/a/label.npy"), Optional.empty())
                        .parts())
                .containsExactly(new Part("", List.of("label.npy")));
    }

    private static byte[] tar(String... namesAndContents) {
        ByteBuffer tar = ByteBuffer.allocate(1024 * (namesAndContents.length / 2 + 1));
        for (int i = 0; i < namesAndContents.length; i += 2) {
            byte[] header = new byte[512];
            put(header, 0, namesAndContents[i]);
            put(header, 124, String.format("%011o", namesAndContents[i + 1].length()));
            header[156] = '0';
            put(header, 257, "ustar");
            put(header, 148, "        ");
            int sum = 0;
            for (byte b : header) {
                sum += b;
            }
            put(header, 148, String.format("%06o", sum) + "\0");
            tar.put(header).put(Arrays.copyOf(namesAndContents[i + 1].getBytes(StandardCharsets.US_ASCII), 512));
        }
        return tar.array();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private static IndexedColumn column(IndexedPart part, String name) {
        return part.columns().stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private IndexedPart index() {
        return index(folder, 0);
    }

    static IndexedPart index(Path root, int part) {
        ForeignDataset dataset = Formats.open(root, Optional.empty());
        return dataset.index(dataset.parts().get(part), Set.of());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> walk = Files.walk(from)) {
            walk.forEach(file -> {
                try {
                    Path target = to.resolve(from.relativize(file).toString());
                    if (Files.isDirectory(file)) {
                        Files.createDirectories(target);
                    } else {
                        Files.copy(file, target);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
