package io.rankfeed.feeder.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.console.LogLines;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.RandomVersions;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.order.OrderJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionSyncTest {
    private static final long SEED = 4;

    @TempDir
    private Path dir;

    private Path version;
    private Manifest.Version manifest;
    private Path cache;
    private final List<String> steps = new ArrayList<>();
    private final ByteArrayOutputStream reported = new ByteArrayOutputStream();

    @BeforeEach
    void writeVersion() throws IOException {
        Random random = new Random(SEED);
        RowValues values = new RowValues(RandomVersions.schema(random), SEED, 9);
        version = TestVersion.write(dir, RandomVersions.order(random), values).folder();
        manifest = TestVersion.manifest(version);
        cache = dir.resolve("cache");
    }

    @Test
    void sync_everyFile_hasEqualBytes() throws IOException {
        Path folder = sync(LaneSelection.all());

        assertThat(folder).isEqualTo(cache.resolve("random").resolve(manifest.id()));
        assertThat(visibleFiles(folder)).isEqualTo(visibleFiles(version));
        for (String path : visibleFiles(version)) {
            assertThat(folder.resolve(path)).hasSameBinaryContentAs(version.resolve(path));
        }
    }

    @Test
    void sync_second_copiesAndHashesNothing() {
        sync(LaneSelection.all());
        steps.clear();

        sync(LaneSelection.all());

        assertThat(steps).isEmpty();
    }

    @Test
    void sync_ranks_copiesOnlyTheirLanes() throws IOException {
        int world = lanes();

        Path folder = sync(new LaneSelection(List.of(world - 1), world));

        List<String> wanted = visibleFiles(version).stream()
                .filter(path -> !path.contains("lane-") || path.contains(String.format("lane-%05d", world - 1)))
                .toList();
        assertThat(visibleFiles(folder))
                .isEqualTo(wanted)
                .hasSizeLessThan(visibleFiles(version).size());
        steps.clear();
        sync(LaneSelection.all());
        assertThat(visibleFiles(folder)).isEqualTo(visibleFiles(version));
        assertThat(steps).doesNotContain("RENAMED " + wanted.getFirst());
    }

    @Test
    void part_otherBytes_isReplaced() throws IOException {
        ArtifactFile file = manifest.files().getFirst();
        Path local = file.path().in(target());
        Files.createDirectories(local.getParent());
        Files.write(FileSync.partOf(local), new byte[(int) file.bytes() / 2]);

        sync(LaneSelection.all());

        assertThat(local).hasSameBinaryContentAs(file.path().in(version));
        assertThat(hiddenParts(target())).isEmpty();
    }

    @Test
    void part_tooLong_isReplaced() throws IOException {
        ArtifactFile file = manifest.files().getFirst();
        Path local = file.path().in(target());
        Files.createDirectories(local.getParent());
        Files.write(FileSync.partOf(local), new byte[(int) file.bytes() + 1]);

        sync(LaneSelection.all());

        assertThat(local).hasSameBinaryContentAs(file.path().in(version));
    }

    @Test
    void part_valid_isContinued() throws IOException {
        ArtifactFile file = manifest.files().getFirst();
        Path local = file.path().in(target());
        Files.createDirectories(local.getParent());
        Files.copy(file.path().in(version), FileSync.partOf(local));

        sync(LaneSelection.all());

        assertThat(steps).doesNotContain("CHUNK_WRITTEN " + file.path()).contains("RENAMED " + file.path());
    }

    @Test
    void part_otherLane_isDeleted() throws IOException {
        Path stale = FileSync.partOf(target().resolve("lanes/train/lane-00099-00000.arrow"));
        Files.createDirectories(FileSync.folderOf(stale));
        Files.write(stale, new byte[10]);

        sync(LaneSelection.all());

        assertThat(stale).doesNotExist();
    }

    @Test
    void disk_tooSmall_isRefusedBeforeCopy() throws IOException {
        ArtifactFile file = manifest.files().getFirst();
        long bytes = Files.getFileStore(dir).getTotalSpace() * 2;
        try (FileChannel sparse = FileChannel.open(file.path().in(version), StandardOpenOption.WRITE)) {
            sparse.write(ByteBuffer.allocate(1), bytes - 1);
        }
        List<ArtifactFile> files = new ArrayList<>(manifest.files());
        files.set(0, new ArtifactFile(file.path(), bytes, file.sha256(), file.rows(), file.footer()));
        TestVersion.writeManifest(version, withFiles(files));

        assertThatThrownBy(() -> sync(LaneSelection.all()))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageMatching(".*needs \\d+ bytes .* has \\d+ .*");
        assertThat(steps).isEmpty();
    }

    @Test
    void marker_wrongDigest_isIgnored() throws IOException {
        Path folder = sync(LaneSelection.all());
        ArtifactFile file = manifest.files().getFirst();
        flip(file.path().in(folder));
        Path log = folder.resolve(Manifest.COPY_LOG_FILE_NAME);
        Files.writeString(log, Files.readString(log).replace(file.sha256(), "0".repeat(64)));

        sync(LaneSelection.all());

        assertThat(file.path().in(folder)).hasSameBinaryContentAs(file.path().in(version));
    }

    @Test
    void file_changedSinceMarked_isCopiedAgain() throws IOException {
        Path folder = sync(LaneSelection.all());
        ArtifactFile file = manifest.files().getFirst();
        flip(file.path().in(folder));

        sync(LaneSelection.all());

        assertThat(file.path().in(folder)).hasSameBinaryContentAs(file.path().in(version));
    }

    @Test
    void marker_invalid_isIgnored() throws IOException {
        Path folder = sync(LaneSelection.all());
        Path log = folder.resolve(Manifest.COPY_LOG_FILE_NAME);
        String text = Files.readString(log);
        Files.write(
                log,
                ("x y z\n1 2 3 four 5 6\n" + text.substring(0, text.length() - 2)).getBytes(StandardCharsets.UTF_8));
        steps.clear();

        sync(LaneSelection.all());

        assertThat(steps).filteredOn(step -> step.startsWith("MARKED")).hasSize(1);
        assertThat(steps).noneMatch(step -> step.startsWith("RENAMED"));
    }

    @Test
    void source_otherBytes_isRefusedAndNotCached() throws IOException {
        ArtifactFile file = manifest.files().getFirst();
        flip(file.path().in(version));

        assertThatThrownBy(() -> sync(LaneSelection.all()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(file.path().in(version).toString())
                .hasMessageContaining("SHA-256");
        assertThat(file.path().in(target())).doesNotExist();
        assertThat(target().resolve(Manifest.FILE_NAME)).doesNotExist();
    }

    @Test
    void source_truncated_isRefusedWithItsLastByte() throws IOException {
        ArtifactFile file = manifest.files().getFirst();
        try (FileChannel channel = FileChannel.open(file.path().in(version), StandardOpenOption.WRITE)) {
            channel.truncate(file.bytes() - 3);
        }

        assertThatThrownBy(() -> sync(LaneSelection.all()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(file.path() + ", byte " + (file.bytes() - 3));
    }

    @Test
    void source_link_isRefused() throws IOException {
        Path lanes = version.resolve("lanes");
        Files.move(lanes, dir.resolve("elsewhere"));
        Files.createSymbolicLink(lanes, dir.resolve("elsewhere"));

        assertThatThrownBy(() -> sync(LaneSelection.all()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("link");
    }

    @Test
    void cache_linkInside_isRefused() throws IOException {
        Files.createDirectories(target());
        Files.createDirectories(dir.resolve("elsewhere"));
        Files.createSymbolicLink(target().resolve("lanes"), dir.resolve("elsewhere"));

        assertThatThrownBy(() -> sync(LaneSelection.all()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("link");
        assertThat(dir.resolve("elsewhere")).isEmptyDirectory();
    }

    @Test
    void length_huge_isCorruption() throws IOException {
        List<ArtifactFile> files = new ArrayList<>(manifest.files());
        ArtifactFile first = files.getFirst();
        files.set(0, new ArtifactFile(first.path(), 1L << 61, first.sha256(), first.rows(), first.footer()));
        TestVersion.writeManifest(version, withFiles(files));

        assertThatThrownBy(() -> sync(LaneSelection.all()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(first.path().value());
    }

    @Test
    void inPlace_hashesOnceAndWritesNothing() throws IOException {
        List<String> before = allFiles(version);

        assertThat(inPlace()).isEqualTo(version);
        assertThat(allFiles(version)).isEqualTo(before);
        assertThat(steps)
                .filteredOn(step -> step.startsWith("MARKED"))
                .hasSize(manifest.files().size());
        // A copy next to it has a log of its own.
        sync(LaneSelection.all());
        steps.clear();
        inPlace();
        sync(LaneSelection.all());
        assertThat(steps).isEmpty();
    }

    @Test
    void inPlace_corrupted_isRefused() throws IOException {
        flip(manifest.files().getLast().path().in(version));

        assertThatThrownBy(this::inPlace)
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("SHA-256");
    }

    @Test
    void sync_concurrent_waitsAndCopiesOnce() throws Exception {
        Files.createDirectories(target());
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            SyncLock held = SyncLock.acquire(target(), LogLines.text(System.err));
            held.sign();
            var second = other.submit(() -> sync(LaneSelection.all()));
            while (!reported.toString(StandardCharsets.UTF_8).contains("waiting")) {
                Thread.onSpinWait();
            }
            assertThat(steps).isEmpty();
            held.close();
            second.get();
        }
        assertThat(reported.toString(StandardCharsets.UTF_8))
                .contains("waiting for process " + ProcessHandle.current().pid());
        assertThat(steps)
                .filteredOn(step -> step.startsWith("RENAMED"))
                .hasSize(manifest.files().size());
    }

    @Test
    void folder_notVersion_isRefused() {
        assertThatThrownBy(() ->
                        VersionSync.run(request(dir.resolve("nowhere"), SyncRequest.Mode.COPY, LaneSelection.all())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nowhere: no such folder; give the folder that export wrote");
    }

    @Test
    void cache_notFolder_isRefusedWithFlag() throws IOException {
        Files.writeString(cache, "");
        assertThatThrownBy(() -> sync(LaneSelection.all()))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(cache + " is not a folder; --cache names another");
    }

    private Path sync(LaneSelection lanes) {
        return VersionSync.run(request(version, SyncRequest.Mode.COPY, lanes));
    }

    private Path inPlace() {
        return VersionSync.run(request(version, SyncRequest.Mode.IN_PLACE, LaneSelection.all()));
    }

    private SyncRequest request(Path from, SyncRequest.Mode mode, LaneSelection lanes) {
        return new SyncRequest(
                OpenVersion.folderAt(from),
                cache,
                lanes,
                mode,
                2,
                LogLines.text(new PrintStream(reported, true, StandardCharsets.UTF_8)),
                ProgressStyle.NONE,
                this::note);
    }

    private synchronized void note(SyncStep step, String path) {
        if (step != SyncStep.LOCKED) {
            steps.add(step + " " + path);
        }
    }

    private Path target() {
        return cache.resolve("random").resolve(manifest.id());
    }

    private int lanes() throws IOException {
        return OrderJson.read(version.resolve("order.json")).feeds().getFirst().lanes();
    }

    private Manifest withFiles(List<ArtifactFile> files) {
        return TestVersion.with(manifest, files, manifest.origin());
    }

    private static void flip(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 4;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes));
        }
        // A write inside the clock's granularity would keep the time of the last one.
        Files.setLastModifiedTime(file, FileTime.fromMillis(Arrays.hashCode(bytes) & 0xFFFFFF));
    }

    private static List<String> visibleFiles(Path folder) throws IOException {
        return allFiles(folder).stream()
                .filter(path -> Stream.of(path.split("/")).noneMatch(name -> name.matches("[._].*")))
                .toList();
    }

    private static List<String> hiddenParts(Path folder) throws IOException {
        return allFiles(folder).stream().filter(path -> path.endsWith(".part")).toList();
    }

    private static List<String> allFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
