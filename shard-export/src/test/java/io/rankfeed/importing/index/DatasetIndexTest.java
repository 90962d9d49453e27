package io.rankfeed.importing.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.importing.format.Formats;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetIndexTest {
    private static final Path FOLDER = Path.of("src/test/resources/foreign");

    @TempDir
    Path folder;

    private static DatasetIndex index(Path root, String... names) {
        return DatasetIndex.of(
                Formats.open(root, Optional.empty()), DatasetRoot.at(root), Set.of(names), 2, part -> {});
    }

    @Test
    void columns_ofAllParts_areMerged() {
        DatasetIndex index = index(FOLDER.resolve("tars"));

        assertThat(index.schema().names()).containsExactly("dots_jpg", "jpg", "txt", "y_txt");
        assertThat(index.schema().fields()).allMatch(Field::nullable);
        assertThat(index.columns().maxLengths()).containsOnlyKeys("dots_jpg", "jpg", "txt", "y_txt");
        assertThat(index.columns().maxLengths()).containsEntry("dots_jpg", 7L);
        assertThat(index.files()).containsExactly("gnu.tar", "pax.tar", "ustar.tar");
        assertThat(index(FOLDER.resolve("huggingface"), "text", "label").files())
                .endsWith("dataset_info.json", "state.json")
                .noneMatch(file -> file.contains("left-over"));
    }

    @Test
    void column_thatCannotBeFed_isRefusedUnlessLeftOut() {
        assertThatThrownBy(() -> index(FOLDER.resolve("huggingface")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'when': values of type timestamp are unsupported")
                .hasMessageContaining("'words': values of type list are unsupported")
                .hasMessageContaining("--columns: blob,flag,grid,");
        assertThatThrownBy(() -> index(FOLDER.resolve("huggingface"), "labels"))
                .hasMessageContaining("no column 'labels'")
                .hasMessageContaining("label");
    }

    @Test
    void parts_ofDifferentTypesOrFiles_areRefused() throws IOException {
        Files.createDirectories(folder.resolve("a"));
        Files.createDirectories(folder.resolve("b"));
        Files.copy(FOLDER.resolve("npy/a/x.npy"), folder.resolve("a/x.npy"));
        Files.copy(FOLDER.resolve("npy/b/label.npy"), folder.resolve("b/x.npy"));
        assertThatThrownBy(() -> index(folder))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'x' is float32 [3, 2] in " + folder + "/a/x.npy and int64 [] in " + folder
                        + "/b/x.npy");

        Files.delete(folder.resolve("b/x.npy"));
        Files.copy(FOLDER.resolve("npy/b/label.npy"), folder.resolve("b/label.npy"));
        Files.copy(FOLDER.resolve("npy/b/x.npy"), folder.resolve("b/x.npy"));
        assertThatThrownBy(() -> index(folder)).hasMessageContaining("has other columns than the folders before it");
    }

    @Test
    void damage_isCountedOverAllParts() throws IOException {
        for (String name : List.of("a", "b")) {
            Files.createDirectories(folder.resolve(name));
            Files.write(folder.resolve(name + "/1.jpg"), new byte[5]);
            Files.write(folder.resolve(name + "/2.jpg"), new byte[0]);
        }
        Set<Integer> parts = ConcurrentHashMap.newKeySet();
        DatasetIndex index = DatasetIndex.of(
                Formats.open(folder, Optional.empty()), DatasetRoot.at(folder), Set.of(), 2, parts::add);

        assertThat(index.damaged()).isEqualTo(2);
        assertThat(index.wholeRows()).isEqualTo(2);
        assertThat(parts).containsExactlyInAnyOrder(0, 1);
        assertThat(index.columns().maxLengths()).containsEntry("image", 5L);
        assertThat(index.schema().fields()).noneMatch(Field::nullable);
    }

    @Test
    void file_ofAnotherFormat_isReportedForTheFirstPart() throws IOException {
        for (String name : List.of("a.idx", "b.idx", "a.bin", "b.bin")) {
            Files.write(folder.resolve(name), new byte[50]);
        }
        assertThatThrownBy(() -> index(folder))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("a.idx, byte 0: is not an index of Megatron");
    }

    @Test
    void file_listedTwice_isRefused() throws IOException {
        Files.createDirectories(folder.resolve("one"));
        for (String name : List.of("features.mmt", "labels.mmt", "meta.json")) {
            Files.copy(
                    FOLDER.resolve("enn").resolve(name), folder.resolve("one").resolve(name));
        }
        Files.writeString(folder.resolve("multinode.json"), "[\"one\", \"./one\"]");
        assertThatThrownBy(() -> index(folder)).isInstanceOf(CorruptDataException.class);
        Files.writeString(folder.resolve("multinode.json"), "[\"one\", \"one\"]");
        assertThatThrownBy(() -> index(folder))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("one/features.mmt: is a duplicate in the list of the dataset's files");
        Files.writeString(folder.resolve("multinode.json"), "[\"one\"]");
        assertThat(index(folder).wholeRows()).isPositive();
    }

    @Test
    void digest_isOfAFileThatDoesNotChange() throws IOException {
        Path file = Files.write(folder.resolve("é 1.jpg"), new byte[300_000]);
        DatasetRoot root = DatasetRoot.at(folder);
        AtomicLong read = new AtomicLong();

        ExternalFile whole = ExternalFile.read(root, "é 1.jpg", root.stamp("é 1.jpg"), read::addAndGet);

        assertThat(whole.sha256()).isEqualTo(Sha256.hex(file));
        assertThat(whole.bytes()).isEqualTo(300_000);
        assertThat(read).hasValue(300_000);
        DatasetRoot.Stamp before = root.stamp("é 1.jpg");
        assertThatThrownBy(() -> ExternalFile.read(root, "é 1.jpg", before, bytes -> grow(file)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("was written while it was read");
    }

    private static void grow(Path file) {
        try {
            if (Files.size(file) == 300_000) {
                Files.write(file, new byte[300_001]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
