package io.rankfeed.schema.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFilesTest {
    private static final Store STORE = LocalFiles.INSTANCE;

    @TempDir
    private Path folder;

    @BeforeEach
    void files() throws IOException {
        Files.createDirectories(folder.resolve("b/c"));
        Files.writeString(folder.resolve("b/c/x:y"), "0123456789");
        Files.writeString(folder.resolve("a"), "a");
        Files.writeString(folder.resolve("_hidden"), "");
        Files.writeString(folder.resolve(".hidden"), "");
    }

    @Test
    void files_nested_areListedByPathWithoutHiddenOnes() {
        assertThat(STORE.files(folder.toString()))
                .extracting(StoredFile::path, StoredFile::bytes)
                .containsExactly(tuple(folder + "/a", 1L), tuple(folder + "/b/c/x:y", 10L));
        assertThat(STORE.list(folder.toString()))
                .extracting(StoredFile::name)
                .containsExactly(".hidden", "_hidden", "a", "b");
        assertThat(STORE.list(folder + "/none")).isEmpty();
        assertThat(STORE.list(folder + "/a")).isEmpty();
    }

    @Test
    void find_pathWithSchemeOrDots_isAbsolute() {
        assertThat(STORE.find("file://" + folder + "/b/../a").map(StoredFile::path))
                .contains(folder + "/a");
        assertThat(STORE.find("file:" + folder + "/b").map(StoredFile::isFolder))
                .contains(true);
        assertThat(STORE.find(folder + "/none")).isEmpty();
        assertThatThrownBy(() -> STORE.find("a\0b")).isInstanceOf(ConfigException.class);
    }

    @Test
    void read_partOfAFile_hasItsBytes() {
        assertThat(STORE.read(folder + "/b/c/x:y", 3, 4)).asString().isEqualTo("3456");
        assertThat(STORE.read(folder + "/b/c/x:y", 10)).asString().isEqualTo("0123456789");
    }

    @Test
    void read_missingTruncatedOrLongFile_isCorrupted() {
        assertThatThrownBy(() -> STORE.read(folder + "/b/c/x:y", 8, 4))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("x:y, byte 8: the file ended");
        assertThatThrownBy(() -> STORE.read(folder + "/b/c/x:y", 9))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("has 10 bytes; at most 9 are read");
        assertThatThrownBy(() -> STORE.read(folder + "/none", 9))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("none: does not exist");
        assertThatThrownBy(() -> STORE.read(folder + "/b", 9)).isInstanceOf(CorruptDataException.class);
    }

    @Test
    void read_symbolicLinkAsAWhole_isRefused() throws IOException {
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("a"));
        assertThatThrownBy(() -> STORE.read(folder + "/link", 9))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("link: is a symbolic link");
        assertThat(STORE.read(folder + "/link", 0, 1)).asString().isEqualTo("a");
    }

    /** A link to a folder that is listed elsewhere is no loop: its files have another path. */
    @Test
    void files_linkToFolder_isFollowedUnlessItLeadsBack() throws IOException {
        Path other = Files.createDirectories(folder.resolve("_other/d"));
        Files.writeString(other.resolve("x"), "x");
        Files.createSymbolicLink(folder.resolve("b/link"), other);
        assertThat(STORE.files(folder.toString()))
                .extracting(StoredFile::path)
                .containsExactly(folder + "/a", folder + "/b/c/x:y", folder + "/b/link/x");
        Files.createSymbolicLink(other.resolve("back"), folder.resolve("b"));
        assertThatThrownBy(() -> STORE.files(folder.toString()))
                .isInstanceOf(ConfigException.class)
                .hasMessage(folder + "/b/link/back: is a symbolic link to "
                        + folder.resolve("b").toRealPath()
                        + ", which is above it, so that its files repeat without end; remove the link");
    }
}
