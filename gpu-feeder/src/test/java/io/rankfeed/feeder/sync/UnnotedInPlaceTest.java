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
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads a version in place where the verified files cannot be noted, as a file is where the cache directory should be. */
class UnnotedInPlaceTest {
    private static final long SEED = 5;

    @TempDir
    private Path dir;

    private Path version;
    private Path cache;
    private final List<String> steps = new ArrayList<>();
    private final ByteArrayOutputStream reported = new ByteArrayOutputStream();

    @BeforeEach
    void writeVersion() throws IOException {
        Random random = new Random(SEED);
        RowValues values = new RowValues(RandomVersions.schema(random), SEED, 9);
        Path odd = Files.createDirectories(dir.resolve("a version's folder, über 100 %"));
        version = TestVersion.write(odd, RandomVersions.order(random), values).folder();
        cache = Files.writeString(dir.resolve("file"), "").resolve("cache");
    }

    @Test
    void start_verifiesAndWarnsWithRemedy() {
        assertThat(sync(SyncRequest.Mode.IN_PLACE)).isEqualTo(version);
        int first = steps.size();
        assertThat(sync(SyncRequest.Mode.IN_PLACE)).isEqualTo(version);
        assertThat(first).isPositive();
        assertThat(steps).hasSize(2 * first);
        assertThat(reported.toString(StandardCharsets.UTF_8))
                .contains("cannot be recorded in " + cache)
                .contains("--cache");
    }

    @Test
    void version_corrupted_isRefused() throws IOException {
        Path order = version.resolve("order.json");
        Files.writeString(order, Files.readString(order).replace("{", "[").substring(1) + " ");
        assertThatThrownBy(() -> sync(SyncRequest.Mode.IN_PLACE))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("order.json");
    }

    @Test
    void copy_isRefused() {
        assertThatThrownBy(() -> sync(SyncRequest.Mode.COPY))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining(cache.toString());
    }

    private Path sync(SyncRequest.Mode mode) {
        return VersionSync.run(new SyncRequest(
                OpenVersion.folderAt(version),
                cache,
                LaneSelection.all(),
                mode,
                1,
                LogLines.text(new PrintStream(reported, true, StandardCharsets.UTF_8)),
                ProgressStyle.NONE,
                (step, path) -> steps.add(step + " " + path)));
    }
}
