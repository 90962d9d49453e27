package io.rankfeed.spark.run;

import io.rankfeed.job.JobFile;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.spark.export.Export;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.Sample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/** A job of 400 rows with all its phases, each with a shuffle and more than one file; also a JVM that a test has killed. */
final class SmallPipeline {
    private SmallPipeline() {}

    static Path input(SparkSession spark, Path folder) {
        Path input = folder.resolve("in");
        spark.range(0, 400, 1, 2)
                .selectExpr("id", "id % 3 = 0 AS label", "sha2(cast(id as string), 512) AS note")
                .write()
                .parquet(input.toString());
        return input;
    }

    public static void main(String[] args) {
        SparkSession spark = LocalSpark.builder("local[2]")
                .config("spark.sql.shuffle.partitions", 2)
                .getOrCreate();
        run(spark, Path.of(args[0]), args[1]);
    }

    /** @param root a path of any Hadoop file system */
    static void run(SparkSession spark, Path input, String root) {
        JobContext context = context(spark.newSession(), input, root);
        PreparedTable prepared = Prepare.run(context);
        Plan plan = Sample.run(context, prepared);
        Export.run(context, prepared, plan);
    }

    static JobContext context(SparkSession session, Path input, String root) {
        String yaml = """
                dataset: d
                root: '%s'
                sources: {t: {parquet: '%s'}}
                prepare: {sql: "SELECT id, label, note FROM t WHERE id >= 0 ORDER BY id", key: [id], block: 64 KiB}
                sample: {train: {batch: 8, lanes: 4, seed: 7}}
                export: {batch-rows: 32, shard-rows: 128}
                """.formatted(root, input);
        return JobContext.of(
                session, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), Progress.NONE);
    }

    /** Of every file below the root but the input. */
    static SortedMap<String, String> digests(Path root) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(root)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                digests.put(root.relativize(file).toString(), Sha256.hex(file));
            }
        }
        digests.keySet().removeIf(name -> name.startsWith("in/"));
        return digests;
    }
}
