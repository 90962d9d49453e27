package io.rankfeed.spark.export;

import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.SharedTables;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.PreparedFixture;
import io.rankfeed.spark.sample.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/** Sample and export over a prepared table in a root of its own; also the main of a JVM that a test has killed. */
final class ExportRun {
    static final String JOB = """
            sample:
              train:
                where: part = 'train'
                batch: 12
                lanes: 4
                rows: 600
                epochs: 2
                seed: 42
                strata:
                  - {column: difficulty, bins: {low: [1, 3], med: [4, 7], high: [8, 11]}, on-unbinned: drop}
                weights: {low: 1, med: 1, high: 2}
                on-shortage: repeat
              valid: {kind: sequential, where: part = 'valid', batch: 8, lanes: 4}
            export: {batch-rows: 32, shard-rows: 128}
            """;

    private ExportRun() {}

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        run(
                LocalSpark.builder("local[1]")
                        .config("spark.sql.shuffle.partitions", 2)
                        .getOrCreate(),
                root);
    }

    static Version run(SparkSession spark, Path root) throws IOException {
        return run(spark, root, JOB);
    }

    static Version run(SparkSession spark, Path root, String job) throws IOException {
        JobContext context = PreparedFixture.context(spark, root, job);
        PreparedTable prepared = prepared(root);
        Plan plan = Sample.run(context, prepared);
        return Export.run(context, prepared, plan);
    }

    static PreparedTable prepared(Path root) throws IOException {
        try (Stream<Path> tables = Files.list(root.resolve("t/prepared"))) {
            return PreparedFixture.open(tables.findFirst().orElseThrow());
        }
    }

    /** The same artifacts of a kind in another root. */
    static void copy(Path from, Path to, String kind) throws IOException {
        SharedTables.copy(from.resolve("t").resolve(kind), to.resolve("t").resolve(kind));
    }

    /** Digests of every file of every plan and version. */
    static SortedMap<String, String> digests(Path root) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>(PreparedFixture.digests(root.resolve("t")));
        digests.keySet().removeIf(path -> path.startsWith("prepared/"));
        return digests;
    }
}
