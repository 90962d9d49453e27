package io.rankfeed.importing.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All stores have {@code row_ids.mmt}, or the column is left out. */
class EnnDatasetTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void copyTwoStores() throws IOException {
        for (String name : List.of("one", "two")) {
            Files.createDirectories(folder.resolve(name));
            for (String file : List.of("features.mmt", "labels.mmt", "meta.json", "row_ids.mmt")) {
                Files.copy(
                        Path.of("src/test/resources/foreign/enn-ids").resolve(file),
                        folder.resolve(name).resolve(file));
            }
        }
        Files.writeString(folder.resolve("multinode.json"), "[\"one\", \"two\"]");
    }

    private static DatasetIndex index(Path path, String... columns) {
        return DatasetIndex.of(
                Formats.open(path, Optional.empty()), DatasetRoot.at(path), Set.of(columns), 2, part -> {});
    }

    @Test
    void rowIds_ofAllStores_areAColumn() {
        assertThat(index(folder).schema().names()).containsExactly("X", "Y", "row_ids");
        assertThat(index(folder, "row_ids", "Y").schema().names()).containsExactlyInAnyOrder("Y", "row_ids");
        assertThatThrownBy(() -> index(folder, "ROW_IDS")).hasMessageContainingAll("no column 'ROW_IDS'", "row_ids");
        assertThat(index(folder.resolve("one/meta.json")).schema().names()).containsExactly("X", "Y", "row_ids");
    }

    @Test
    void rowIds_missingInOneStore_areRefusedUnlessLeftOut() throws IOException {
        Files.delete(folder.resolve("two/row_ids.mmt"));

        assertThatThrownBy(() -> index(folder))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("two/row_ids.mmt is missing", "--columns");
        assertThat(index(folder, "X", "Y").schema().names()).containsExactly("X", "Y");
    }

    @Test
    void rowIds_ofAnotherLength_areCorrupted() throws IOException {
        Path ids = folder.resolve("two/row_ids.mmt");
        Files.write(ids, new byte[8]);
        assertThatThrownBy(() -> index(folder))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContainingAll("two/row_ids.mmt", "7 rows of 8 bytes");
        assertThat(index(folder, "X", "Y").schema().names()).containsExactly("X", "Y");
    }

    @Test
    void rowIds_thatAreALink_areCorrupted() throws IOException {
        Path ids = folder.resolve("two/row_ids.mmt");
        Files.delete(ids);
        Files.createSymbolicLink(ids, folder.resolve("one/row_ids.mmt"));
        assertThatThrownBy(() -> index(folder))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("symbolic link");
    }

    /** Without labels the file of the ids is another one of the part. */
    @Test
    void rowIds_withoutLabels_areOfTheirOwnFile() throws IOException {
        for (String name : List.of("one", "two")) {
            Path meta = folder.resolve(name).resolve("meta.json");
            Files.writeString(
                    meta, Files.readString(meta).replace("\"features_only\": false", "\"features_only\": true"));
        }
        DatasetIndex index = index(folder);

        assertThat(index.schema().names()).containsExactly("X", "row_ids");
        int file = index.columns().files().get("row_ids");
        assertThat(index.files().get(file)).isEqualTo("one/row_ids.mmt");
    }

    @Test
    void rowIds_ofNoStore_areRefusedByName() throws IOException {
        Files.delete(folder.resolve("one/row_ids.mmt"));
        Files.delete(folder.resolve("two/row_ids.mmt"));

        assertThat(index(folder).schema().names()).containsExactly("X", "Y");
        assertThatThrownBy(() -> index(folder, "row_ids"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("row_ids.mmt is missing");
    }
}
