package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.export.Export;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Input files that change at drawn moments of a run: an environment error that names the file, and nothing committed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangingInputsIT {
    private enum Change {
        REPLACE,
        APPEND,
        TRUNCATE,
        DELETE
    }

    private SparkSession spark;
    private Path folder;
    /** By source, how many files an undisturbed run opens. */
    private final Map<DrawnInput, Integer> opens = new EnumMap<>(DrawnInput.class);

    @BeforeAll
    void start(@TempDir Path made) {
        spark = LocalSpark.session(2);
        spark.sparkContext().hadoopConfiguration().set("fs.watched.impl", WatchedFs.class.getName());
        folder = made;
    }

    @AfterEach
    void quiet() {
        WatchedFs.reset();
    }

    @Test
    @Timeout(300)
    void input_changingAtAnyMoment_isNamedAsEnvironmentError() throws IOException {
        draw(List.of(DrawnInput.PARQUET, DrawnInput.TEXT_LIST), 2, 500);
    }

    @Test
    @Tag("nightly")
    void input_changingAtManyMoments_isAnEnvironmentError() throws IOException {
        draw(List.of(DrawnInput.values()), 200, 9_000);
    }

    private void draw(List<DrawnInput> sources, int count, long firstSeed) throws IOException {
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            // Every source and every change in turn.
            DrawnInput source = sources.get((int) (seed % sources.size()));
            Change change = Change.values()[(int) (seed / 3 % Change.values().length)];
            if (!opens.containsKey(source)) {
                opens.put(source, undisturbed(source));
            }
            int moment = 1 + random.nextInt(opens.get(source));
            Path root = Files.createDirectories(folder.resolve("run-" + seed));
            List<Path> files = source.write(spark, root);
            Path file = files.get(random.nextInt(files.size()));
            String which = String.format(
                    Locale.ROOT,
                    "seed %d, %s, %s of %s before open %d of %d",
                    seed,
                    source,
                    change,
                    file.getFileName(),
                    moment,
                    opens.get(source));
            System.out.println(which);
            JobContext context = source.context(spark, root);
            Throwable failure = null;
            try {
                run(context, source, () -> WatchedFs.before(moment, () -> apply(change, file, random.split())));
            } catch (Exception e) {
                failure = e;
            }
            assertThat(WatchedFs.OPENS.get()).as(which).isGreaterThanOrEqualTo(moment);
            WatchedFs.reset();
            assertThat(failure).as(which).isInstanceOf(EnvironmentException.class);
            assertThat(failure.getMessage())
                    .as(which)
                    .contains(file.getFileName().toString())
                    .contains(change == Change.DELETE ? "was removed while" : "changed while")
                    .contains("run the job again");
            assertThat(committed(root, source)).as(which).isFalse();
            Utils.deleteRecursively(root.toFile());
        }
    }

    /** @return how many files it opens */
    private int undisturbed(DrawnInput source) throws IOException {
        Path root = Files.createDirectories(folder.resolve("sound-" + source));
        source.write(spark, root);
        run(source.context(spark, root), source, WatchedFs::reset);
        assertThat(committed(root, source)).isTrue();
        return WatchedFs.OPENS.get();
    }

    /** @param arm done before the first phase that reads the files which change */
    private static void run(JobContext context, DrawnInput source, Runnable arm) {
        boolean isLate = source == DrawnInput.LIST || source == DrawnInput.TEXT_LIST || source == DrawnInput.IN_PLACE;
        if (!isLate) {
            arm.run();
            Prepare.run(context);
            return;
        }
        PreparedTable table = Prepare.run(context);
        arm.run();
        Plan plan = Sample.run(context, table);
        if (source == DrawnInput.IN_PLACE) {
            Export.run(context, table, plan);
        }
    }

    private static boolean committed(Path root, DrawnInput source) throws IOException {
        String artifact =
                switch (source) {
                    case LIST, TEXT_LIST -> "plans";
                    case IN_PLACE -> "versions";
                    default -> "prepared";
                };
        try (Stream<Path> files = Files.walk(root)) {
            return files.anyMatch(
                    file -> file.endsWith("manifest.json") && file.toString().contains("/" + artifact + "/"));
        }
    }

    private static void apply(Change change, Path file, SplittableRandom random) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            switch (change) {
                case REPLACE -> {
                    byte[] other = new byte[1 + random.nextInt(bytes.length + 10)];
                    random.nextBytes(other);
                    Path made = Files.write(file.resolveSibling("_made"), other);
                    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
                }
                case APPEND -> Files.write(file, Arrays.copyOf(bytes, 40), StandardOpenOption.APPEND);
                case TRUNCATE -> Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
                case DELETE -> Files.delete(file);
            }
            if (change != Change.DELETE) {
                // A file may be made and changed within a tick of its file system's clock.
                Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
