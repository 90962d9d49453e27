package io.rankfeed.importing.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.importing.index.ExternalFile;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportSourceTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        for (int i = 0; i < 20; i++) {
            Path file = folder.resolve("c" + i % 2 + "/" + i + ".jpg");
            Files.createDirectories(file.getParent());
            Files.write(file, new byte[1 + i]);
        }
    }

    private ImportSource listed() {
        ImportSource source = ImportSource.open(folder, Optional.empty());
        AtomicInteger stamped = new AtomicInteger();
        source.stamp(2, stamped::incrementAndGet);
        assertThat(stamped).hasValue(source.count());
        AtomicLong bytes = new AtomicLong();
        source.index(Set.of(), 2, part -> bytes.addAndGet(source.bytesOf(part)));
        assertThat(bytes).hasValue(source.bytes()).hasValue(210);
        return source;
    }

    @Test
    void files_areReadInTheOrderOfTheirNumbers() throws IOException {
        ImportSource source = listed();
        AtomicLong bytes = new AtomicLong();
        List<ExternalFile> files = source.read(3, bytes::addAndGet);
        assertThat(bytes).hasValue(210);
        assertThat(files).hasSize(20).isEqualTo(source.read(1, read -> {}));
        assertThat(files.get(0).path()).isEqualTo("c0/0.jpg");
        assertThat(files.get(10).path()).isEqualTo("c1/1.jpg");
        assertThat(files.get(10).sha256()).isEqualTo(Sha256.hex(folder.resolve("c1/1.jpg")));
    }

    @Test
    void fileThatChanges_afterItsSamplesWereListed_isRefused() throws IOException {
        Path file = folder.resolve("c1/7.jpg");
        ImportSource source = listed();
        FileTime before = Files.getLastModifiedTime(file);
        Files.write(file, new byte[9]);
        Files.setLastModifiedTime(file, before);
        assertThatThrownBy(() -> source.read(2, read -> {}))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(file + ": was written while it was read");
        Files.write(file, new byte[8]);
        Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 1));
        assertThatThrownBy(() -> source.read(2, read -> {})).hasMessageContaining(file.toString());
        Files.setLastModifiedTime(file, before);
        assertThat(source.read(2, read -> {})).hasSize(20);
    }

    @Test
    void datasetThatGetsOrLosesFiles_isRefused() throws IOException {
        ImportSource source = listed();
        Path file = Files.write(folder.resolve("c1/new.jpg"), new byte[9]);
        assertThatThrownBy(() -> source.read(2, read -> {}))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("has other files than at the begin of the import");
        Files.delete(file);
        Files.delete(folder.resolve("c0/4.jpg"));
        assertThatThrownBy(() -> source.read(2, read -> {}))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("c0/4.jpg: does not exist");
    }
}
