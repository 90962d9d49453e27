package io.rankfeed.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.remote.RemoteFolder;
import io.rankfeed.feeder.sync.SyncRequest;
import io.rankfeed.feeder.sync.SyncStep;
import io.rankfeed.feeder.sync.VersionSync;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses Hadoop's local file system as the store; the end-to-end tests use HDFS. */
class HadoopStoreTest {
    private static final Path GOLDEN =
            Path.of(System.getProperty("rankfeed.root"), "schema/src/test/resources/golden/version");

    @TempDir
    private Path dir;

    private Path version;

    @BeforeEach
    void copyGolden() throws IOException {
        version = dir.resolve("store/version");
        try (Stream<Path> files = Files.walk(GOLDEN)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path copy = version.resolve(GOLDEN.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    @Test
    void sync_version_hasEqualBytes() throws IOException {
        Path copied = VersionSync.run(request(SyncRequest.Mode.COPY));
        try (Stream<Path> files = Files.walk(GOLDEN).filter(Files::isRegularFile)) {
            assertThat(files).isNotEmpty().allSatisfy(file -> assertThat(
                            copied.resolve(GOLDEN.relativize(file).toString()))
                    .hasSameBinaryContentAs(file));
        }
        OpenVersion moved = OpenVersion.open(store()).movedTo(copied);
        moved.map("train", LaneSelection.all()).close();
    }

    @Test
    void sync_second_readsNoLane() throws IOException {
        Path copied = VersionSync.run(request(SyncRequest.Mode.COPY));
        Files.delete(version.resolve("lanes/train/shared-00000.arrow"));
        assertThat(VersionSync.run(request(SyncRequest.Mode.COPY))).isEqualTo(copied);
    }

    @Test
    void file_missingOrShort_isNamedWithAddress() throws IOException {
        Path lane = version.resolve("lanes/train/lane-00000-00000.arrow");
        byte[] bytes = Files.readAllBytes(lane);
        Files.write(lane, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> VersionSync.run(request(SyncRequest.Mode.COPY)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(address() + "/lanes/train/lane-00000-00000.arrow")
                .hasMessageContaining("has 3 bytes, manifest.json says " + bytes.length);
        Files.delete(lane);
        assertThatThrownBy(() -> VersionSync.run(request(SyncRequest.Mode.COPY)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("is listed in manifest.json but missing");
        Files.delete(version.resolve("manifest.json"));
        assertThatThrownBy(() -> VersionSync.run(request(SyncRequest.Mode.COPY)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(address() + ": no version is there");
    }

    @Test
    void inPlace_address_isRefused() {
        assertThatThrownBy(() -> VersionSync.run(request(SyncRequest.Mode.IN_PLACE)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("leave --in-place away");
    }

    @Test
    void address_unknownScheme_isRefused() {
        assertThatThrownBy(() -> RemoteFolder.at("gopher://host/version"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no client here reads gopher: addresses");
        assertThatThrownBy(() -> RemoteFolder.at("hdfs://host/a version"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not an address");
        assertThat(new HadoopStore().knows("hdfs")).isTrue();
    }

    @Test
    void file_anyPosition_isRead() throws IOException {
        Path file = Files.write(dir.resolve("file"), new byte[] {0, 1, 2, 3, 4, 5, 6, 7});
        try (SeekableByteChannel channel = new HadoopStore().open(file.toUri())) {
            assertThat(channel.size()).isEqualTo(8);
            ByteBuffer two = ByteBuffer.allocateDirect(2);
            assertThat(channel.position(5).read(two)).isEqualTo(2);
            assertThat(two.flip().getShort()).isEqualTo((short) 0x0506);
            assertThat(channel.position()).isEqualTo(7);
        }
    }

    private SyncRequest request(SyncRequest.Mode mode) {
        return new SyncRequest(
                store(),
                dir.resolve("cache"),
                LaneSelection.all(),
                mode,
                2,
                event -> {},
                ProgressStyle.NONE,
                SyncStep.Listener.NONE);
    }

    private RemoteFolder store() {
        return RemoteFolder.at(address());
    }

    private String address() {
        return "file://" + version;
    }
}
