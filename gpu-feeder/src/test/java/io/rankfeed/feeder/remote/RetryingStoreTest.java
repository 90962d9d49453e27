package io.rankfeed.feeder.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.console.ProgressStyle;
import io.rankfeed.feeder.cache.LaneSelection;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.sync.SyncRequest;
import io.rankfeed.feeder.sync.SyncStep;
import io.rankfeed.feeder.sync.VersionSync;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Syncs from a store that is slow and fails, with a simulated clock. */
@Timeout(300)
class RetryingStoreTest {
    private static final Path GOLDEN = Path.of("../schema/src/test/resources/golden/version")
            .toAbsolutePath()
            .normalize();
    private static final long[] SECONDS = {0, 0, 0, 3, 14, 27};
    private static final long ENDLESS_SECONDS = 1_000_000;

    @TempDir
    private Path dir;

    private final List<String> lines = new ArrayList<>();

    @Test
    void sync_slowFailingStore_copiesEveryByte() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("RetryingStoreTest seed " + seed);
        Random random = new Random(seed);
        long[] expected = new long[3];
        int[] failuresInARow = new int[1];
        UnreliableStore store = new UnreliableStore(() -> {
            long seconds = SECONDS[random.nextInt(SECONDS.length)];
            boolean isFailing = failuresInARow[0] < 2 && random.nextInt(4) == 0;
            expected[0] += seconds / 10;
            expected[1] += isFailing ? 1 : 0;
            expected[2] += seconds + (isFailing ? 1 + failuresInARow[0] : 0);
            failuresInARow[0] = isFailing ? failuresInARow[0] + 1 : 0;
            return new UnreliableStore.Step(
                    seconds, isFailing ? Optional.of(new SocketException("Connection reset")) : Optional.empty());
        });
        Path copy = sync(store);
        try (Stream<Path> files = Files.walk(GOLDEN).filter(Files::isRegularFile)) {
            assertThat(files).as("seed %d", seed).isNotEmpty().allSatisfy(file -> assertThat(
                            copy.resolve(GOLDEN.relativize(file).toString()))
                    .hasSameBinaryContentAs(file));
        }
        assertThat(lines.stream().filter(line -> line.startsWith("waiting for file:" + GOLDEN)))
                .as("seed %d", seed)
                .hasSize((int) expected[0]);
        assertThat(lines.stream().filter(line -> line.contains("Connection reset; attempt ")))
                .as("seed %d", seed)
                .hasSize((int) expected[1]);
        assertThat(Duration.ofNanos(store.nanos())).as("seed %d", seed).isEqualTo(Duration.ofSeconds(expected[2]));
    }

    @Test
    void store_silent_isWaitedForUntilTheDeadline() {
        UnreliableStore store = new UnreliableStore(() -> new UnreliableStore.Step(ENDLESS_SECONDS, Optional.empty()));
        assertThatThrownBy(() -> sync(store))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("manifest.json: no answer within 120 s");
        assertThat(store.nanos()).isEqualTo(RetryPolicy.DEADLINE.toNanos());
        assertThat(lines).hasSize(11).last().asString().endsWith("manifest.json: open file, 110 s");
    }

    @Test
    void store_failing_isRetriedUntilTheDeadline() {
        UnreliableStore store = new UnreliableStore(
                () -> new UnreliableStore.Step(0, Optional.of(new SocketException("Connection refused"))));
        assertThatThrownBy(() -> sync(store))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("manifest.json: Connection refused");
        // Pauses: 1, 2, 4, 8, then 16 as long as they end before 120 s.
        assertThat(lines).hasSize(10);
        assertThat(Duration.ofNanos(store.nanos())).isEqualTo(Duration.ofSeconds(1 + 2 + 4 + 8 + 6 * 16));
    }

    @Test
    void permanentFailure_isNotRetried() {
        for (IOException permanent :
                List.of(new AccessDeniedException("/x"), new IOException("No FileSystem for scheme \"hdsf\""))) {
            UnreliableStore store = new UnreliableStore(() -> new UnreliableStore.Step(0, Optional.of(permanent)));
            assertThatThrownBy(() -> sync(store))
                    .isInstanceOf(
                            permanent instanceof AccessDeniedException
                                    ? EnvironmentException.class
                                    : ConfigException.class);
            assertThat(store.nanos()).isZero();
        }
        assertThat(lines).isEmpty();
    }

    private Path sync(UnreliableStore store) {
        RemoteFolder folder =
                new RemoteFolder("file:" + GOLDEN, new RetryingStore(store, new RetryPolicy(store, lines::add)));
        assertThat(OpenVersion.open(folder).manifest().files()).isNotEmpty();
        return VersionSync.run(new SyncRequest(
                folder,
                dir.resolve("cache"),
                LaneSelection.all(),
                SyncRequest.Mode.COPY,
                1,
                event -> {},
                ProgressStyle.NONE,
                SyncStep.Listener.NONE));
    }
}
