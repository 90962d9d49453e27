package io.rankfeed.feeder.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.console.LogLines;
import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.fixture.RowValues;
import io.rankfeed.feeder.fixture.TestVersion;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.SequentialFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kills syncs at every step: files under their final names are whole, and the next sync completes. */
class VersionSyncKillIT {
    private static final int ROW_BYTES = 64 << 10;
    private static final int SHARD_ROWS = 100;
    private static final long CHUNK_BYTES = 4L << 20;

    @TempDir
    private static Path source;

    @TempDir
    private Path dir;

    private final List<String> steps = new ArrayList<>();

    @BeforeAll
    static void writeVersion() throws IOException {
        SampleSchema schema = new SampleSchema(List.of(new Field("pixels", DType.UINT8, Shape.of(ROW_BYTES), false)));
        Order order = new Order(
                "random",
                TestVersion.PLAN_ID,
                Optional.of(new Order.Storage(SHARD_ROWS / 10, SHARD_ROWS)),
                List.of(new SequentialFeed("valid", 1, 10, 2 * SHARD_ROWS, 2 * SHARD_ROWS / 10)));
        TestVersion.write(source, order, new RowValues(schema, 1, 0));
    }

    @ParameterizedTest(name = "killed at {0} number {1}")
    @CsvSource({"CHUNK_WRITTEN, 3", "PART_VERIFIED, 2", "RENAMED, 1", "MANIFEST_WRITTEN, 1"})
    void sync_afterKill_completes(String step, int number) throws Exception {
        assertThat(child(step, number)).isEqualTo(SyncChild.KILLED);
        Manifest manifest = ManifestJson.read(version());
        Path target = dir.resolve("random").resolve(manifest.id());
        for (ArtifactFile file : manifest.files()) {
            if (Files.exists(file.path().in(target))) {
                assertThat(file.path().in(target))
                        .hasSameBinaryContentAs(file.path().in(version()));
            }
        }
        assertThat(Files.exists(target.resolve(Manifest.FILE_NAME))).isEqualTo(step.equals("MANIFEST_WRITTEN"));

        assertThat(sync()).isEqualTo(target);

        for (ArtifactFile file : manifest.files()) {
            assertThat(file.path().in(target))
                    .hasSameBinaryContentAs(file.path().in(version()));
        }
        assertThat(target.resolve(Manifest.FILE_NAME)).exists();
        try (Stream<Path> left = Files.walk(target)) {
            assertThat(left).noneMatch(path -> path.toString().endsWith(".part"));
        }
    }

    @ParameterizedTest(name = "killed at {0} number {1}")
    @Tag("nightly")
    @CsvSource({"LOCKED, 1", "CHUNK_WRITTEN, 1", "PART_WRITTEN, 1", "RENAMED, 3", "MARKED, 2"})
    void sync_afterKillAtOtherSteps_completes(String step, int number) throws Exception {
        sync_afterKill_completes(step, number);
    }

    @Test
    void sync_afterKill_doesNotReadBytesAgain() throws Exception {
        child("CHUNK_WRITTEN", 1);
        ArtifactFile first = ManifestJson.read(version()).files().getFirst();

        sync();

        long chunks = (first.bytes() + CHUNK_BYTES - 1) / CHUNK_BYTES;
        assertThat(chunks).isEqualTo(2);
        assertThat(steps)
                .filteredOn(step -> step.equals("CHUNK_WRITTEN " + first.path()))
                .hasSize(1);
    }

    private Path sync() {
        return VersionSync.run(new SyncRequest(
                OpenVersion.folderAt(version()),
                dir,
                LaneSelection.all(),
                SyncRequest.Mode.COPY,
                1,
                LogLines.text(System.err),
                ProgressStyle.NONE,
                (step, path) -> steps.add(step + " " + path)));
    }

    private int child(String step, int number) throws Exception {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SyncChild.class.getName(),
                        version().toString(),
                        dir.toString(),
                        step,
                        Integer.toString(number))
                .inheritIO()
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private static Path version() {
        return source.resolve("version");
    }
}
