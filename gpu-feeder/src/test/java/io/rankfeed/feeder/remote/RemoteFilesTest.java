package io.rankfeed.feeder.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.store.LocalFiles;
import io.rankfeed.schema.store.StoredFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local files behind addresses of a store. */
class RemoteFilesTest {
    private final RemoteStore store = new RemoteStore() {
        @Override
        public boolean knows(String scheme) {
            return true;
        }

        @Override
        public SeekableByteChannel open(URI file) throws IOException {
            if (file.getPath().endsWith("refused")) {
                throw new FileNotFoundException("refused");
            }
            return Files.newByteChannel(Path.of(file.getPath()));
        }

        @Override
        public Optional<StoredFile> find(URI file) {
            return LocalFiles.INSTANCE.find(file.getPath());
        }

        @Override
        public List<StoredFile> list(URI folder) {
            return LocalFiles.INSTANCE.list(folder.getPath());
        }
    };
    private final RemoteFiles files = new RemoteFiles(store);

    @TempDir
    private Path folder;

    private String address = "";

    @BeforeEach
    void write() throws IOException {
        address = "far://user@name:80" + folder;
        Files.createDirectories(folder.resolve("day=1 %20"));
        Files.writeString(folder.resolve("day=1 %20/a"), "0123456789");
    }

    @Test
    void read_pathWithAnyCharacter_hasTheBytes() {
        assertThat(files.read(address + "/day=1 %20/a", 3, 4)).asString().isEqualTo("3456");
        assertThat(files.list(address)).extracting(StoredFile::name).containsExactly("day=1 %20");
        assertThat(files.find(address + "/day=1 %20/a").map(StoredFile::bytes)).contains(10L);
        assertThat(files.find(address + "/none")).isEmpty();
    }

    @Test
    void read_missingTruncatedOrRefusedFile_failsByKind() {
        assertThatThrownBy(() -> files.read(address + "/none", 0, 1))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(address + "/none: does not exist");
        assertThatThrownBy(() -> files.read(address + "/day=1 %20/a", 8, 4))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("a, byte 8: the file ended");
        assertThatThrownBy(() -> files.read(address + "/refused", 0, 1)).isInstanceOf(EnvironmentException.class);
    }
}
