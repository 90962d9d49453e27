package io.rankfeed.spark;

import picocli.CommandLine.Command;

/** The {@code pipeline} command. */
@Command(
        name = "pipeline",
        description = "Run prepare, sample and export in one Spark application.",
        footer = {
            "  ./rankfeed pipeline conf/jobs/codecontests.yaml --run-id monday",
            "  spark-submit --class io.rankfeed.spark.PipelineJob rankfeed-spark-jobs.jar \\",
            "      conf/jobs/codecontests.yaml --run-id monday"
        })
public final class PipelineJob extends JobCommand {
    PipelineJob() {
        super(Goal.PIPELINE);
    }

    /** Returns where it is done; ends the JVM with the exit code of a failure. */
    public static void main(String[] args) {
        Cli.main(new PipelineJob(), args);
    }
}
