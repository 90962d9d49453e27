package io.rankfeed.export.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagedFileTest {
    private static final byte[] GOOD = "the good bytes".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TORN = "the good by".getBytes(StandardCharsets.UTF_8);

    private java.nio.file.Path folder;
    private java.nio.file.Path target;
    private LikeHdfs fs;

    @BeforeEach
    void open(@TempDir java.nio.file.Path root) {
        folder = root;
        target = root.resolve("part.bin");
        fs = new LikeHdfs(Storage.of(new Path(root.toUri()), new Configuration()));
    }

    @Test
    void file_ofConcurrentTask_isKept() throws IOException {
        fs.beforeRename(() -> Files.write(target, GOOD));
        assertThat(published().sha256()).isEqualTo(Sha256.hex(GOOD));
        assertThat(fs.deleted).doesNotContain("part.bin");
        assertThat(target).hasBinaryContent(GOOD);
        assertThat(names()).containsExactly("part.bin");
    }

    @Test
    void aRenameWhoseAnswerWasLostIsDone() throws IOException {
        fs.beforeRename(() -> {
            try (Stream<java.nio.file.Path> files = Files.list(folder)) {
                Files.move(files.findFirst().orElseThrow(), target);
            }
        });
        published();
        assertThat(fs.deleted).isEmpty();
        assertThat(target).hasBinaryContent(GOOD);
        assertThat(names()).containsExactly("part.bin");
    }

    @Test
    void tornBytesAreReplacedWithoutAMomentOfNone() throws IOException {
        Files.write(target, TORN);
        published();
        assertThat(fs.deleted).isEmpty();
        assertThat(target).hasBinaryContent(GOOD);
        assertThat(names()).containsExactly("part.bin");
    }

    @Test
    void tornFile_beforeTheRename_isReplaced() throws IOException {
        fs.beforeRename(() -> Files.write(target, TORN));
        published();
        assertThat(fs.deleted).isEmpty();
        assertThat(target).hasBinaryContent(GOOD);
    }

    @Test
    void aFileThatWasSweptMeanwhileIsAFailure() throws IOException {
        fs.beforeRename(() -> {
            try (Stream<java.nio.file.Path> files = Files.list(folder)) {
                Files.delete(files.findFirst().orElseThrow());
            }
        });
        assertThatThrownBy(this::published)
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("part.bin");
        assertThat(names()).isEmpty();
    }

    @Test
    void bytes_lostByTheDisk_areNotPublished() throws IOException {
        FileSystem losing = new FilterFileSystem(fs) {
            @Override
            public FSDataOutputStream create(
                    Path file,
                    FsPermission permission,
                    boolean overwrite,
                    int buffer,
                    short replication,
                    long block,
                    Progressable progress)
                    throws IOException {
                OutputStream out = super.create(file, permission, overwrite, buffer, replication, block, progress);
                return new FSDataOutputStream(new LosingStream(out), null);
            }
        };
        assertThatThrownBy(() -> published(losing))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContainingAll("cannot write", "part.bin", "Input/output error");
        assertThat(names()).isEmpty();
    }

    /** Takes all bytes, and reports when they must be on disk that some are lost. */
    private static final class LosingStream extends FilterOutputStream implements Syncable, StreamCapabilities {
        LosingStream(OutputStream out) {
            super(out);
        }

        @Override
        public boolean hasCapability(String capability) {
            return capability.equals(StreamCapabilities.HSYNC);
        }

        @Override
        public void hflush() {}

        @Override
        public void hsync() throws IOException {
            throw new IOException("Input/output error");
        }
    }

    private WrittenFile published() throws IOException {
        return published(fs);
    }

    private WrittenFile published(FileSystem fs) throws IOException {
        try (StagedFile file = StagedFile.create(fs, new Path(folder.toUri()), "part.bin", "attempt-1", 0, () -> {})) {
            file.stream().write(GOOD);
            return file.publish(3);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<java.nio.file.Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".crc"))
                    .sorted()
                    .toList();
        }
    }
}
