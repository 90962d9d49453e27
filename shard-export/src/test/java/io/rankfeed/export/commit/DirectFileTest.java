package io.rankfeed.export.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectFileTest {
    /** On the disk of the build, for a temporary folder may be in memory. */
    @TempDir(factory = BuildFolder.class)
    private java.nio.file.Path root;

    static final class BuildFolder implements TempDirFactory {
        @Override
        public java.nio.file.Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
                throws IOException {
            return Files.createTempDirectory(
                    Files.createDirectories(java.nio.file.Path.of("target", "direct")), "test");
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                4095,
                4096,
                65_537,
                DirectFile.CHUNK_BYTES - 1,
                DirectFile.CHUNK_BYTES,
                DirectFile.CHUNK_BYTES + 1,
                5 * DirectFile.CHUNK_BYTES + 777
            })
    void allBytesAreThereAndNoneBeyond(int length) throws IOException {
        byte[] bytes = new byte[length];
        Random random = new Random(length);
        random.nextBytes(bytes);
        java.nio.file.Path path = Files.write(root.resolve("file"), new byte[0]);
        DirectFile direct = opened(path);
        try (FSDataOutputStream file = new FSDataOutputStream(direct, null)) {
            for (int at = 0; at < length; ) {
                int part = Math.min(length - at, random.nextInt(300_000));
                if (part == 1) {
                    file.write(bytes[at]);
                } else {
                    file.write(bytes, at, part);
                }
                at += part;
            }
            file.hsync();
            assertThat(file.getPos()).isEqualTo(length);
        }
        assertThat(path).hasBinaryContent(bytes);
    }

    @Test
    void filesThatAreWrittenAtOnceDoNotMeet() throws IOException {
        java.nio.file.Path one = Files.write(root.resolve("one"), new byte[0]);
        java.nio.file.Path other = Files.write(root.resolve("other"), new byte[0]);
        byte[] chunk = new byte[DirectFile.CHUNK_BYTES];
        try (DirectFile first = opened(one);
                DirectFile second = opened(other)) {
            for (int i = 0; i < 4; i++) {
                for (DirectFile file : new DirectFile[] {first, second}) {
                    chunk[0] = (byte) (file == first ? i : -i);
                    file.write(chunk, 0, chunk.length);
                }
            }
            first.hsync();
            second.hsync();
        }
        for (int i = 0; i < 4; i++) {
            assertThat(Files.readAllBytes(one)[i * chunk.length]).isEqualTo((byte) i);
            assertThat(Files.readAllBytes(other)[i * chunk.length]).isEqualTo((byte) -i);
        }
    }

    @Test
    void write_refusedByTheDisk_failsTheFileForGood() throws IOException {
        FileChannel full = FileChannel.open(java.nio.file.Path.of("/dev/full"), StandardOpenOption.WRITE);
        byte[] chunk = new byte[2 * DirectFile.CHUNK_BYTES + 1];
        try (DirectFile file = new DirectFile(full)) {
            assertThatThrownBy(() -> file.write(chunk))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
            assertThatThrownBy(file::hsync).isInstanceOf(IOException.class).hasMessageContaining("No space left");
        }
    }

    @Test
    void nothingIsWrittenBehindTheEnd() throws IOException {
        java.nio.file.Path path = Files.write(root.resolve("file"), new byte[0]);
        try (DirectFile file = opened(path)) {
            file.write(7);
            file.hsync();
            file.hsync();
            assertThatThrownBy(() -> file.write(8)).isInstanceOf(IOException.class);
        }
        assertThat(path).hasBinaryContent(new byte[] {7});
    }

    @Test
    void noFileSystemButALocalDisksIsTaken() throws IOException {
        Files.write(root.resolve("file"), new byte[0]);
        assertThat(DirectFile.open(
                        new LikeHdfs(local()), new Path(root.resolve("file").toUri())))
                .isEmpty();
    }

    private DirectFile opened(java.nio.file.Path path) {
        Optional<DirectFile> file = DirectFile.open(local(), new Path(path.toUri()));
        assumeThat(file).as("the build lies on a local disk").isPresent();
        return file.orElseThrow();
    }

    private FileSystem local() {
        return Storage.of(new Path(root.toUri()), new Configuration());
    }
}
