package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.FaultyFs;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.FetchFailedException;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shuffles, tasks, drivers, disks and renames that fail under a running job: the same bytes, or a clean failure. */
@Order(LocalSpark.LAST)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class UnderFireIT {
    private SparkSession spark;
    private Path input;
    private SortedMap<String, String> expected;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        // A task that fails is tried again.
        spark = LocalSpark.own("local[2,4]", 2)
                .config("spark.hadoop.fs.faulty.impl", FaultyFs.class.getName())
                .getOrCreate();
        input = SmallPipeline.input(spark, folder);
        SmallPipeline.run(spark, input, folder.toString());
        expected = SmallPipeline.digests(folder);
    }

    @AfterAll
    void stop() {
        LocalSpark.stop();
    }

    @AfterEach
    void heal() {
        FaultPoints.watch(null);
        FaultyFs.heal();
    }

    @ParameterizedTest
    @ValueSource(strings = "export.in-unit")
    void shuffle_lostInExport_changesNoByte(String point, @TempDir Path root) throws IOException {
        AtomicInteger lost = new AtomicInteger();
        AtomicInteger later = new AtomicInteger();
        FaultPoints.watch(name -> {
            if (name.equals(point)) {
                if (TaskContext.get().stageAttemptNumber() > 0) {
                    later.incrementAndGet();
                } else if (lost.compareAndSet(0, 1)) {
                    throw sneaky(lostShuffle());
                }
            }
        });
        SmallPipeline.run(spark, input, root.toString());
        assertThat(lost).hasValue(1);
        assertThat(later.get()).as("the stage was run again").isPositive();
        assertThat(SmallPipeline.digests(root)).isEqualTo(expected);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = "prepare.unit-written")
    void shuffle_lostInPrepare_changesNoByte(String point, @TempDir Path root) throws IOException {
        shuffle_lostInExport_changesNoByte(point, root);
    }

    @Test
    void task_failingAfterItsFile_isRepeatedWithOneFile(@TempDir Path root) throws IOException {
        AtomicInteger failed = new AtomicInteger();
        FaultPoints.watch(name -> {
            TaskContext task = TaskContext.get();
            if (name.equals("file.after-rename") && task != null && task.attemptNumber() == 0) {
                failed.incrementAndGet();
                throw new IllegalStateException("the executor fell ill");
            }
        });
        SmallPipeline.run(spark, input, root.toString());
        assertThat(failed.get()).isGreaterThan(3);
        assertThat(SmallPipeline.digests(root)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = "file.after-rename")
    void runAfterKill_givesTheSameFilesAndNoOthers(String point, @TempDir Path root, @TempDir Path logs)
            throws Exception {
        killAndRunAgain(point, root, logs);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"prepare.unit-written", "prepare.file-written", "file.looked"})
    void runAfterKill_atOtherPoints_givesTheSameFilesAndNoOthers(String point, @TempDir Path root, @TempDir Path logs)
            throws Exception {
        killAndRunAgain(point, root, logs);
    }

    private void killAndRunAgain(String point, Path root, Path logs) throws Exception {
        assertThat(KilledRun.of(SmallPipeline.class, point, logs.resolve("log"), input.toString(), root.toString()))
                .isEqualTo(KilledRun.KILLED);
        assertThat(complete(root)).isEmpty();
        SmallPipeline.run(spark, input, root.toString());
        assertThat(SmallPipeline.digests(root)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = 40_000)
    void disk_full_failsCleanlyAndNextRunCompletes(long freeBytes, @TempDir Path root) throws IOException {
        FaultyFs.FREE_BYTES.set(freeBytes);
        assertThatThrownBy(() -> SmallPipeline.run(spark, input, "faulty:" + root))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("No space left on device")
                .hasMessageContaining(root.toString());
        assertThat(expected).as("what is complete is right").containsAllEntriesOf(complete(root));
        FaultyFs.heal();
        SmallPipeline.run(spark, input, "faulty:" + root);
        assertThat(SmallPipeline.digests(root)).isEqualTo(expected);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(longs = {1, 90_000})
    void disk_fullAtOtherBytes_failsCleanly(long freeBytes, @TempDir Path root) throws IOException {
        disk_full_failsCleanlyAndNextRunCompletes(freeBytes, root);
    }

    @ParameterizedTest
    @Tag("nightly")
    @EnumSource(
            value = FaultyFs.Rename.class,
            names = {"UNANSWERED", "REFUSED_AT_FIRST"})
    void rename_refusedOrWithoutAnswer_changesNothing(FaultyFs.Rename kind, @TempDir Path root) throws IOException {
        FaultyFs.rename = kind;
        SmallPipeline.run(spark, input, "faulty:" + root);
        assertThat(FaultyFs.RENAMES.get()).isGreaterThan(5);
        assertThat(SmallPipeline.digests(root)).isEqualTo(expected);
    }

    /** The files of the artifacts that have a manifest. */
    private static SortedMap<String, String> complete(Path root) throws IOException {
        SortedMap<String, String> files = SmallPipeline.digests(root);
        files.keySet().removeIf(name -> !name.endsWith("/manifest.json"));
        return files;
    }

    /** That of the shuffle made last, which is the one that the task reads: its first map task's output is forgotten. */
    private static FetchFailedException lostShuffle() {
        MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
        int shuffle = -1;
        for (Object id : scala.jdk.javaapi.CollectionConverters.asJava(
                tracker.shuffleStatuses().keys().toSeq())) {
            shuffle = Math.max(shuffle, (Integer) id);
        }
        MapStatus output = tracker.shuffleStatuses().apply(shuffle).mapStatuses()[0];
        return new FetchFailedException(
                output.location(), shuffle, output.mapId(), 0, 0, "the shuffle files are gone", null);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException sneaky(Exception e) throws E {
        throw (E) e;
    }
}
