package io.rankfeed.spark.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.export.Export;
import io.rankfeed.spark.job.JobFile;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.Sample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
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
    private static final int ROWS = 120;

    private enum Change {
        REPLACE,
        APPEND,
        TRUNCATE,
        DELETE
    }

    private enum Source {
        PARQUET,
        IN_PLACE,
        JSONL,
        GZIP,
        METADATA,
        BINARY,
        LIST,
        TEXT_LIST
    }

    private SparkSession spark;
    private Path folder;
    /** By source, how many files an undisturbed run opens. */
    private final Map<Source, Integer> opens = new EnumMap<>(Source.class);

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
    void anInputThatChangesAtAnyMomentIsAnEnvironmentErrorThatNamesIt() throws IOException {
        draw(List.of(Source.PARQUET, Source.IN_PLACE, Source.JSONL, Source.TEXT_LIST), 4, 500);
    }

    @Test
    @Tag("nightly")
    @Timeout(3600)
    void inputsThatChangeAtManyMomentsAreEnvironmentErrors() throws IOException {
        draw(List.of(Source.values()), 200, 9_000);
    }

    private void draw(List<Source> sources, int count, long firstSeed) throws IOException {
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            // Every source and every change in turn.
            Source source = sources.get((int) (seed % sources.size()));
            Change change = Change.values()[(int) (seed / 3 % Change.values().length)];
            if (!opens.containsKey(source)) {
                opens.put(source, undisturbed(source));
            }
            int moment = 1 + random.nextInt(opens.get(source));
            Path root = Files.createDirectories(folder.resolve("run-" + seed));
            List<Path> files = write(source, root);
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
            JobContext context = context(source, root);
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
    private int undisturbed(Source source) throws IOException {
        Path root = Files.createDirectories(folder.resolve("sound-" + source));
        write(source, root);
        run(context(source, root), source, WatchedFs::reset);
        assertThat(committed(root, source)).isTrue();
        return WatchedFs.OPENS.get();
    }

    /** @param arm done before the first phase that reads the files which change */
    private static void run(JobContext context, Source source, Runnable arm) {
        boolean isLate = source == Source.LIST || source == Source.TEXT_LIST || source == Source.IN_PLACE;
        if (!isLate) {
            arm.run();
            Prepare.run(context);
            return;
        }
        PreparedTable table = Prepare.run(context);
        arm.run();
        Plan plan = Sample.run(context, table);
        if (source == Source.IN_PLACE) {
            Export.run(context, table, plan);
        }
    }

    private static boolean committed(Path root, Source source) throws IOException {
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

    private JobContext context(Source source, Path root) {
        Path in = root.resolve("in");
        String location = "watched:" + in;
        String sources =
                switch (source) {
                    case PARQUET, IN_PLACE -> "{parquet: '" + location + "'}";
                    case JSONL, GZIP -> "{jsonl: '" + location + "'}";
                    case METADATA -> "{jsonl: '" + location + "/a.jsonl', metadata: '" + location + "/metadata.json'}";
                    case BINARY -> "{binary: '" + location + "'}";
                    case LIST, TEXT_LIST -> "{parquet: '" + root.resolve("table") + "'}";
                };
        String query = source == Source.IN_PLACE ? "rewrite: none" : "sql: SELECT * FROM t";
        String list =
                switch (source) {
                    case LIST -> ", list: {parquet: '" + location + "', of: key}, order: planned";
                    case TEXT_LIST -> ", list: {text: '" + location + "/list.txt', of: key}, order: planned";
                    default -> "";
                };
        String key = source == Source.BINARY ? "[path]" : "[id]";
        String yaml = "dataset: d\nroot: '" + root + "/out'\nsources:\n  t: " + sources + "\nprepare: {" + query
                + ", key: " + key + "}\nsample: {train: {batch: 4, lanes: 2, seed: 1" + list + "}}\n";
        return JobContext.of(
                spark, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }

    /** @return the files of the source */
    private List<Path> write(Source source, Path root) throws IOException {
        Path in = Files.createDirectories(root.resolve("in"));
        String lines = IntStream.range(0, ROWS)
                .mapToObj(i -> "{\"id\": " + i + ", \"text\": \"line " + i + "\"}\n")
                .collect(Collectors.joining());
        switch (source) {
            case PARQUET, IN_PLACE -> table(in);
            case JSONL -> {
                Files.writeString(in.resolve("a.jsonl"), lines);
                Files.writeString(in.resolve("b.jsonl"), "{\"id\": 1000, \"text\": \"last\"}\n");
            }
            case GZIP -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
                    out.write(lines.getBytes(StandardCharsets.UTF_8));
                }
                Files.write(in.resolve("a.jsonl.gz"), bytes.toByteArray());
            }
            case METADATA -> {
                Files.writeString(in.resolve("a.jsonl"), lines);
                Files.writeString(
                        in.resolve("metadata.json"),
                        "{\"metadata\": "
                                + IntStream.range(0, ROWS)
                                        .mapToObj(i -> "{\"level\": " + i % 3 + "}")
                                        .toList() + "}");
            }
            case BINARY -> {
                for (int i = 0; i < 5; i++) {
                    Files.writeString(in.resolve(i + ".bin"), "content " + i);
                }
            }
            case LIST -> {
                table(root.resolve("table"));
                spark.range(0, 40, 1, 1)
                        .selectExpr("id")
                        .write()
                        .mode("overwrite")
                        .parquet(in.toString());
            }
            case TEXT_LIST -> {
                table(root.resolve("table"));
                Files.writeString(
                        in.resolve("list.txt"),
                        IntStream.range(0, 40).mapToObj(i -> i + "\n").collect(Collectors.joining()));
            }
        }
        try (Stream<Path> files = Files.list(in)) {
            return files.filter(file -> !file.getFileName().toString().startsWith(".")
                            && !file.getFileName().toString().startsWith("_")
                            && !file.endsWith("metadata.json"))
                    .sorted()
                    .toList();
        }
    }

    private void table(Path folder) {
        spark.range(0, ROWS, 1, 2)
                .selectExpr("id", "concat('text ', id) AS text", "cast(id % 5 as int) AS level")
                .write()
                .mode("overwrite")
                .option("parquet.block.size", 1000)
                .parquet(folder.toString());
    }
}
