package io.rankfeed.export.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.store.LocalFiles;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local files behind a file system that is not the local one of Hadoop. */
class HadoopFilesTest {
    private final Configuration conf = new Configuration(false);

    @TempDir
    private Path folder;

    private Store store = LocalFiles.INSTANCE;

    @BeforeEach
    void files() throws IOException {
        Files.createDirectories(folder.resolve("b/c"));
        Files.writeString(folder.resolve("b/c/x y"), "0123456789");
        Files.writeString(folder.resolve("_hidden"), "");
        RawLocalFileSystem local = new RawLocalFileSystem();
        local.initialize(URI.create("file:///"), conf);
        store = new HadoopFiles(new FilterFileSystem(local));
    }

    @Test
    void files_nested_areListedAndRead() {
        assertThat(store.files(folder.toString())).singleElement().satisfies(file -> {
            assertThat(file.path()).isEqualTo("file:" + folder + "/b/c/x y");
            assertThat(file.bytes()).isEqualTo(10);
            assertThat(store.read(file.path(), 3, 4)).asString().isEqualTo("3456");
            assertThat(store.read(file.path(), 10)).asString().isEqualTo("0123456789");
        });
        assertThat(store.list(folder.toString())).extracting(StoredFile::name).containsExactly("_hidden", "b");
        assertThat(store.hasBlocks()).isFalse();
    }

    @Test
    void missingOrTruncatedFile_isCorrupted() {
        assertThat(store.find(folder + "/none")).isEmpty();
        assertThat(store.list(folder + "/none")).isEmpty();
        assertThatThrownBy(() -> store.read(folder + "/none", 0, 1))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("none: does not exist");
        assertThatThrownBy(() -> store.read(folder + "/b/c/x y", 8, 4))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("x y, byte 8: the file ended");
    }

    @Test
    void of_localPath_isTheLocalStore() {
        assertThat(HadoopFiles.of("/x", conf)).isSameAs(LocalFiles.INSTANCE);
        assertThat(HadoopFiles.of("file:///x", conf)).isSameAs(LocalFiles.INSTANCE);
        assertThatThrownBy(() -> HadoopFiles.of("", conf))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not a path");
        assertThatThrownBy(() -> HadoopFiles.of("hdsf://name/x", conf)).isInstanceOf(ConfigException.class);
    }
}
