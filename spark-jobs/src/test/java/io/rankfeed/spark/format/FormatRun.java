package io.rankfeed.spark.format;

import io.rankfeed.spark.export.PipelineRun;
import io.rankfeed.spark.export.Version;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** All phases, then the formats; also the main of a JVM that a test has killed. */
final class FormatRun {
    private FormatRun() {}

    public static void main(String[] args) {
        SparkSession spark = LocalSpark.builder("local[1]")
                .config("spark.sql.shuffle.partitions", 1)
                .getOrCreate();
        run(spark, Path.of(args[0]), Path.of(args[1]), FormattedCopiesIT.FORMATS);
    }

    static void run(SparkSession spark, Path root, Path input, String formats) {
        JobContext context = PipelineRun.context(spark, root, input, FormattedCopiesIT.PREPARE, formats);
        copies(context, PipelineRun.run(context));
    }

    static List<FormattedCopy> copies(JobContext context, Version version) {
        List<FormattedCopy> copies = new ArrayList<>();
        FormattedCopies.run(context, version, copies::add);
        return copies;
    }
}
