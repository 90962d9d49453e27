package io.rankfeed.feeder.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.References;
import io.rankfeed.feeder.fixture.ImportedVersion;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.importing.index.ExternalFile;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Stamps;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a dataset that are no longer those of its import are refused with exit code 3, whether they are mapped or read. */
class ChangedFilesTest {
    private static final int FILES = 6;

    @TempDir
    private Path dir;

    private Path dataset;
    private Path changed;

    @BeforeEach
    void writeFiles() throws IOException {
        dataset = dir.resolve("data");
        for (int i = 0; i < FILES; i++) {
            Path file = dataset.resolve("c" + i % 2 + "/" + i + ".jpg");
            Files.createDirectories(file.getParent());
            Files.write(file, ("content " + i).getBytes(StandardCharsets.UTF_8));
        }
        changed = dataset.resolve("c1/3.jpg");
    }

    private ImportedVersion imported() throws IOException {
        return ImportedVersion.write(dir, "pets", dataset, Set.of());
    }

    /** Reads each value of the first lane and of the second. */
    private static int readAll(LaneCache cache) {
        References images = Objects.requireNonNull(cache.references("image", 0));
        int read = 0;
        for (int lane = 0; lane < 2; lane++) {
            for (int row = 0; row < 3; row++) {
                int block = cache.firstBlock(0, lane);
                long length = images.lengthBytes(block, row);
                read += images.bytes(block, row)
                        .asSlice(images.position(block, row), length)
                        .toArray(ValueLayout.JAVA_BYTE)
                        .length;
            }
        }
        return read;
    }

    private static LaneCache map(ImportedVersion version, int maxMapped) {
        return OpenOrder.of(version.open()).map(ImportedVersion.FEED, LaneSelection.all(), maxMapped);
    }

    private static void read(ImportedVersion version, int maxMapped) {
        try (LaneCache cache = map(version, maxMapped)) {
            readAll(cache);
        }
    }

    enum Change {
        CUT("has 3 bytes, and had 9"),
        GROWN("has 10 bytes, and had 9"),
        TOUCHED("was modified at 2001-09-09T01:46:40Z, and before at 20"),
        REPLACED("was modified at 2001-09-09T01:46:40Z"),
        LINK("is not a regular file; links and devices are not followed"),
        FOLDER("is not a regular file"),
        LINKED_FOLDER("is behind a symbolic link"),
        MISSING("is missing, and was there when the dataset was imported");

        private final String words;

        Change(String words) {
            this.words = words;
        }

        void of(Path file) throws IOException {
            FileTime before = Files.getLastModifiedTime(file);
            switch (this) {
                case CUT -> write(file, "cut".getBytes(StandardCharsets.UTF_8), before);
                case GROWN -> write(file, "content 10".getBytes(StandardCharsets.UTF_8), before);
                case TOUCHED -> Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
                case REPLACED -> {
                    Path other = file.resolveSibling("other");
                    write(other, "Content 3".getBytes(StandardCharsets.UTF_8), FileTime.fromMillis(1_000_000_000_000L));
                    Files.delete(file);
                    Files.move(other, file);
                }
                case LINK -> {
                    Files.move(file, file.resolveSibling("other"));
                    Files.createSymbolicLink(file, Path.of("other"));
                }
                case FOLDER -> {
                    Files.delete(file);
                    Files.createDirectory(file);
                }
                case LINKED_FOLDER -> {
                    Path folder = file.getParent();
                    Files.move(folder, folder.resolveSibling("moved"));
                    Files.createSymbolicLink(folder, Path.of("moved"));
                }
                case MISSING -> Files.delete(file);
            }
        }

        private static void write(Path file, byte[] bytes, FileTime modified) throws IOException {
            Files.write(file, bytes);
            Files.setLastModifiedTime(file, modified);
        }
    }

    @ParameterizedTest
    @EnumSource
    void fileThatChanged_mapped_isRefusedAtOpen(Change change) throws IOException {
        ImportedVersion version = imported();
        read(version, FILES);
        change.of(changed);

        assertRefused(change, () -> map(version, FILES));
    }

    @ParameterizedTest
    @EnumSource
    void fileThatChanged_ofManyFiles_isRefusedAtEachRead(Change change) throws IOException {
        ImportedVersion version = imported();
        try (LaneCache cache = map(version, FILES - 1)) {
            assertThat(readAll(cache)).isEqualTo(9 * FILES);
            change.of(changed);

            assertRefused(change, () -> readAll(cache));
        }
    }

    private void assertRefused(Change change, ThrowingCallable action) {
        boolean isOtherFile = change == Change.LINKED_FOLDER; // where each file of the folder is refused
        assertThatThrownBy(action)
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(isOtherFile ? changed.getParent() + "/" : changed + ": ")
                .hasMessageContaining(change.words);
        if (EnumSet.range(Change.CUT, Change.REPLACED).contains(change)) {
            assertThatThrownBy(action).hasMessageContaining("run rankfeed verify " + dir.resolve("pets/versions"));
        }
    }

    @Test
    void fileThatIsCutWhileMapped_isRefused() throws IOException {
        ImportedVersion version = imported();
        try (LaneCache cache = map(version, FILES)) {
            readAll(cache);
            try (FileChannel channel = FileChannel.open(changed, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }

            assertThatThrownBy(() -> {
                        try {
                            readAll(cache);
                        } catch (InternalError e) {
                            throw cache.lostPages(e);
                        }
                    })
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(changed + ": has 0 bytes, and had 9 when the dataset was imported");
        }
    }

    @Test
    void root_mayBeALink_butMustBeThere() throws IOException {
        Path link = Files.createSymbolicLink(dir.resolve("link"), dataset);
        ImportedVersion version = ImportedVersion.write(dir, "pets", link, Set.of());
        read(version, FILES);
        read(version, 0);
        Files.delete(link);

        assertThatThrownBy(() -> map(version, FILES))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(link + ": no such folder")
                .hasMessageContaining("must be mounted");
    }

    @Test
    void stamps_ofAnotherVersion_areRefused() throws IOException {
        ImportedVersion version = imported();
        new Stamps(dataset, "ab".repeat(32), new long[FILES], new long[FILES]).write(version.folder());

        assertThatThrownBy(() -> map(version, FILES))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("_stamps: is of another version; run rankfeed verify");
        Files.delete(version.folder().resolve(Stamps.FILE_NAME));
        assertThatThrownBy(() -> map(version, FILES)).isInstanceOf(CorruptDataException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../secret", "c1/../../secret", "/etc/passwd", "c1//3.jpg", "c1/./3.jpg", "", "c1/3.jpg\n"})
    void path_thatCouldLeaveTheRoot_isRefused(String path) throws IOException {
        Files.write(dir.resolve("secret"), new byte[9]);
        ImportedVersion version = ImportedVersion.write(dir, "pets", dataset, Set.of(), files -> files.stream()
                .map(file -> file.path().equals("c1/3.jpg")
                        ? new ExternalFile(path, file.bytes(), file.modifiedNanos(), file.sha256())
                        : file)
                .toList());

        for (int maxMapped : List.of(0, FILES)) {
            assertThatThrownBy(() -> read(version, maxMapped))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(External.FILE_NAME)
                    .hasMessageContaining("is not a path below a folder");
        }
    }

    @Test
    void list_damaged_isRefused() throws IOException {
        ImportedVersion version = imported();
        Path list = version.folder().resolve(External.FILE_NAME);
        byte[] whole = Files.readAllBytes(list);
        try (Arena arena = Arena.ofConfined()) {
            for (int at = 0; at < whole.length; at += 97) {
                try (FileChannel channel = FileChannel.open(list, StandardOpenOption.WRITE)) {
                    channel.write(ByteBuffer.wrap(new byte[] {(byte) (whole[at] ^ 4)}), at);
                    assertThatThrownBy(() -> ExternalFiles.open(
                                    version.folder(),
                                    TestVersion.manifest(version.folder()),
                                    Optional.empty(),
                                    0,
                                    arena))
                            .as("byte %d", at)
                            .isInstanceOf(CorruptDataException.class);
                    channel.write(ByteBuffer.wrap(new byte[] {whole[at]}), at);
                }
            }
            Files.write(list, whole, StandardOpenOption.APPEND);
            assertThatThrownBy(() -> ExternalFiles.open(
                            version.folder(), TestVersion.manifest(version.folder()), Optional.empty(), 0, arena))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("manifest.json says " + whole.length);
        }
    }
}
