package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.Owner;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two jobs that make the same artifacts at once. */
@Order(LocalSpark.LAST)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class ConcurrentJobsIT {
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    private SparkSession spark;
    private Path input;
    private SortedMap<String, String> expected;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        // A task of the one that stops keeps a core: the other one needs some, too.
        spark = LocalSpark.own("local[4]", 2).getOrCreate();
        input = SmallPipeline.input(spark, folder);
        pipeline(folder);
        expected = SmallPipeline.digests(folder);
        assertThat(expected.keySet()).noneMatch(name -> name.contains("/_"));
    }

    @AfterAll
    void stop() {
        other.shutdownNow();
        LocalSpark.stop();
    }

    @AfterEach
    void unwatch() {
        FaultPoints.watch(null);
    }

    /**
     * One job stops at a point; a second one is refused. Then the first one's claim is made to look as that of a
     * dead one: a third job takes over and completes. When the first one wakes up it changes nothing any more.
     */
    @ParameterizedTest
    @ValueSource(strings = "file.before-rename")
    void secondJob_isRefusedAndLateFirstChangesNothing(String point, @TempDir Path root) throws Exception {
        CountDownLatch asleep = new CountDownLatch(1);
        CountDownLatch wake = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        FaultPoints.watch(name -> {
            if (name.equals(point) && first.compareAndSet(true, false)) {
                asleep.countDown();
                await(wake);
            }
        });
        Future<Object> sleeper = other.submit(() -> {
            pipeline(root);
            return "done";
        });
        assertThat(asleep.await(120, TimeUnit.SECONDS)).isTrue();

        assertThatThrownBy(() -> pipeline(root))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("another job")
                .hasMessageContaining("is writing");

        buryClaim(root);
        pipeline(root);
        assertThat(SmallPipeline.digests(root)).allSatisfy((name, digest) -> assertThat(expectedOrWaste(name, digest))
                .isTrue());
        wake.countDown();
        assertThatThrownBy(() -> sleeper.get(120, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("took over");
        pipeline(root);
        assertThat(SmallPipeline.digests(root)).isEqualTo(expected);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(
            strings = {
                "prepare.file-written",
                "file.looked",
                "commit.before-rename",
                "sample.after-feed",
                "export.in-unit"
            })
    void secondJob_atOtherPoints_isRefused(String point, @TempDir Path root) throws Exception {
        secondJob_isRefusedAndLateFirstChangesNothing(point, root);
    }

    @Test
    void artifact_complete_isFreedOfFilesOfADeadJob(@TempDir Path root) throws IOException {
        pipeline(root);
        try (Stream<Path> folders = Files.walk(root.resolve("d"), 3)) {
            for (Path folder : folders.filter(path -> Files.exists(path.resolve("manifest.json")))
                    .toList()) {
                Files.writeString(folder.resolve("_attempt-x-part-00000-00000.parquet"), "late");
                Files.writeString(folder.resolve("_claim-00001"), "{}");
            }
        }
        pipeline(root);
        assertThat(SmallPipeline.digests(root)).isEqualTo(expected);
    }

    private boolean expectedOrWaste(String name, String digest) {
        return name.substring(name.lastIndexOf('/') + 1).startsWith("_attempt-") || digest.equals(expected.get(name));
    }

    /** The one claim below a root becomes that of a process that is gone. */
    private static void buryClaim(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> claims = files.filter(
                            file -> file.getFileName().toString().startsWith("_claim-"))
                    .toList();
            assertThat(claims).hasSize(1);
            Owner self = Owner.self("gone");
            Path dead = claims.get(0).resolveSibling("_claim-00001");
            Files.write(
                    dead,
                    new Owner("gone", self.host(), self.processes(), self.pid(), "1", self.since(), "a").toBytes(0));
        }
    }

    private void pipeline(Path root) {
        SmallPipeline.run(spark, input, root.toString());
    }

    private static void await(CountDownLatch wake) {
        try {
            if (!wake.await(200, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody woke this job up");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
