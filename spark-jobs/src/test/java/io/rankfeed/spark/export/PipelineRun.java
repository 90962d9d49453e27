package io.rankfeed.spark.export;

import io.rankfeed.job.JobFile;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.PreparedTable;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.run.SharedTables;
import io.rankfeed.spark.sample.Plan;
import io.rankfeed.spark.sample.Sample;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** All phases over a Parquet table of 2000 rows, of every kind of column, that rankfeed has not written. */
public final class PipelineRun {
    public static final String TENSORS = "tensors: {box: {dtype: float32, shape: [2, 2]}}";
    /** A query that brings rows to units by their keys, and a table that is one of Delta's too. */
    static final String SHUFFLED =
            "{sql: SELECT t.* FROM t JOIN (SELECT DISTINCT level AS l FROM t) u ON t.level = u.l,"
                    + " key: [id], block: 64 KiB, delta: true, " + TENSORS + "}";

    private static final String FEEDS = """
            sample:
              train: {batch: 16, lanes: 4, rows: 1600, seed: 3, where: id % 7 > 0, on-shortage: repeat,
                strata: [{column: level, bins: {low: [0, 3], high: [4, 9]}}], weights: {low: 3, high: 1}}
              valid: {kind: sequential, batch: 8, lanes: 4, where: id % 7 = 0}
            export: {batch-rows: 32, shard-rows: 128}
            """;

    private PipelineRun() {}

    /** @param salt makes other values of the same rows */
    public static Path table(SparkSession spark, Path folder, int salt) {
        return SharedTables.put("pipeline " + salt, folder, to -> spark.range(0, 2000, 1, 2)
                .selectExpr(
                        "id",
                        "cast(id % 10 as int) AS level",
                        "CASE WHEN id % 3 = 0 THEN NULL ELSE concat('tag-', " + salt + " * id) END AS tag",
                        "transform(sequence(0, cast(id % 5 as int)), x -> cast(hash(id, x) as int)) AS tokens",
                        "array(array(id / 2.0D, 1.5D), array(2.0D, 3.0D)) AS box",
                        "cast(id % 100 as short) AS small",
                        "id % 2 = 0 AS even",
                        "CASE WHEN id % 7 = 0 THEN NULL ELSE transform(filter(sequence(0, cast(id % 4 as int)), x -> x > 0),"
                                + " x -> concat('é', repeat('n', x - 1), id)) END AS names",
                        "transform(filter(sequence(0, cast(id % 3 as int)), x -> x > 0), x ->"
                                + " unhex(repeat('0f', x - 1))) AS files")
                .write()
                .option("parquet.block.size", 16_000)
                .option("parquet.page.row.count.limit", 100)
                .parquet(to.toString()));
    }

    public static Version run(JobContext context) {
        return run(context, Export.Reading.SCAN);
    }

    static Version run(JobContext context, Export.Reading reading) {
        PreparedTable table = Prepare.run(context);
        Plan plan = Sample.run(context, table);
        return Export.run(context, table, plan, reading);
    }

    /**
     * @param prepare the section
     * @param set what is set in addition, as {@code a.b=value}
     */
    public static JobContext context(SparkSession spark, Path root, Path source, String prepare, String... set) {
        String yaml = "dataset: d\nroot: '" + root + "'\nsources: {t: {parquet: '" + source + "'}}\nprepare: " + prepare
                + "\n" + FEEDS;
        return JobContext.of(
                spark, JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of(set)), Progress.NONE);
    }
}
