package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.console.LogLines;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.batch.RankOrder;
import io.rankfeed.feeder.cache.ArtifactFolder;
import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.explain.LocatedRows;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.feeder.fixture.ImportedVersion;
import io.rankfeed.feeder.sync.SyncRequest;
import io.rankfeed.feeder.sync.SyncStep;
import io.rankfeed.feeder.sync.VersionSync;
import io.rankfeed.sampling.order.BatchRows;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.Stamps;
import io.rankfeed.schema.order.TrainFeed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verify, sync and explain of a version over a dataset. */
class ImportedVersionTest {
    private static final int FILES = 6;

    @TempDir
    private Path dir;

    private Path dataset;
    private Path changed;
    private ImportedVersion version;

    @BeforeEach
    void write() throws IOException {
        dataset = dir.resolve("data");
        for (int i = 0; i < FILES; i++) {
            Path file = dataset.resolve("c" + i % 2 + "/" + i + ".jpg");
            Files.createDirectories(file.getParent());
            Files.write(file, ("content " + i).getBytes(StandardCharsets.UTF_8));
        }
        changed = dataset.resolve("c1/3.jpg");
        version = ImportedVersion.write(dir, "pets", dataset, Set.of());
    }

    private static CommandRun verify(Object... words) {
        return CommandRun.of(
                new VerifyCommand(),
                Stream.concat(Stream.of(words), Stream.of("--progress", "none")).toArray());
    }

    private OpenOrder order(Path folder) {
        return OpenOrder.of(OpenVersion.open(folder).by(version.open().order(), "of the test"));
    }

    private void map(Path folder) {
        order(folder).map(ImportedVersion.FEED, LaneSelection.all()).close();
    }

    @Test
    void verify_acceptsTimesOfFilesWithTheSameContent() throws IOException {
        assertThat(verify(version.folder()).exitCode()).isZero();
        Files.setLastModifiedTime(changed, FileTime.fromMillis(1_000_000_000_000L));
        assertThatThrownBy(() -> map(version.folder())).isInstanceOf(CorruptDataException.class);

        CommandRun run = verify(version.folder());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("files of dataset pets: 6 files, ").contains(": those that were imported");
        map(version.folder());
    }

    @Test
    void verify_namesFilesWithOtherContent_andKeepsTheStamps() throws IOException {
        byte[] stamps = Files.readAllBytes(version.folder().resolve(Stamps.FILE_NAME));
        Files.write(changed, "Content 3".getBytes(StandardCharsets.UTF_8));
        Files.delete(dataset.resolve("c0/2.jpg"));

        CommandRun run = verify(version.folder());

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains(changed + ": its SHA-256 is").contains("c0/2.jpg: is missing");
        assertThat(run.out()).contains("2 DIFFER");
        assertThat(Files.readAllBytes(version.folder().resolve(Stamps.FILE_NAME)))
                .isEqualTo(stamps);
    }

    @Test
    void verify_ofFilesAtAnotherPath_letsThisCopyReadThemThere() throws IOException {
        Path copy = sync();
        Path moved = Files.move(dataset, dir.resolve("elsewhere"));
        assertThat(verify(copy).exitCode()).isEqualTo(2);
        assertThat(verify(copy).err()).contains("--external pets=PATH");

        CommandRun run = verify(copy, "--external", "pets=" + moved);

        assertThat(run.exitCode()).as(run.err()).isZero();
        map(copy);
        // The next sync keeps what this node knows of its own files.
        assertThat(Stamps.read(sync()).root()).isEqualTo(moved);
        map(copy);
    }

    @Test
    void sync_copiesLanesListAndStamps_andNewStamps() throws IOException {
        Path copy = sync();
        map(copy);
        Files.setLastModifiedTime(changed, FileTime.fromMillis(1_000_000_000_000L));
        assertThat(verify(version.folder()).exitCode()).isZero();
        assertThatThrownBy(() -> map(copy)).isInstanceOf(CorruptDataException.class);

        sync();

        map(copy);
        try (Stream<Path> files = Files.walk(copy)) {
            assertThat(files.filter(file -> file.toString().endsWith(".jpg"))).isEmpty();
        }
    }

    private Path sync() {
        return VersionSync.run(new SyncRequest(
                ArtifactFolder.at(version.folder()),
                dir.resolve("cache"),
                LaneSelection.all(),
                SyncRequest.Mode.COPY,
                2,
                LogLines.text(System.out),
                ProgressStyle.NONE,
                SyncStep.Listener.NONE));
    }

    @Test
    void row_hasTheNameOfItsFile() {
        OpenOrder opened = order(version.folder());
        TrainFeed feed = (TrainFeed) opened.feed(ImportedVersion.FEED);
        RankOrder order = RankOrder.train(feed, 0, 1);
        BatchRows rows = new BatchRows(order.rows());
        order.fill(0, rows);
        try (LaneCache cache = opened.map(feed.name(), LaneSelection.all())) {
            LocatedRows located = new LocatedRows(opened, feed, cache, List.of("image", "label"));
            for (int position = 0; position < rows.size(); position++) {
                int sample = version.lists().sample(0, rows.index(position));
                String path = version.index().files().get(sample);
                assertThat(located.line(rows, position).split("\t"))
                        .endsWith(path, "0", "9 bytes", path.startsWith("c1") ? "1" : "0");
            }
        }
    }
}
