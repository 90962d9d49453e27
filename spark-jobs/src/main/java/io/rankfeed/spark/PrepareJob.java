package io.rankfeed.spark;

import picocli.CommandLine.Command;

/** The {@code prepare} command. */
@Command(
        name = "prepare",
        description =
                "Makes the prepared table: reads the sources, runs the job's query, packs lists of numbers, and writes Parquet with one row group per block. A table that exists already is used again.",
        footer = {
            "  ./rankfeed prepare conf/jobs/codecontests.yaml --dry-run",
            "  spark-submit --class io.rankfeed.spark.PrepareJob rankfeed-spark-jobs.jar conf/jobs/codecontests.yaml --dry-run"
        })
public final class PrepareJob extends JobCommand {
    PrepareJob() {
        super(Goal.PREPARE);
    }

    /** Returns where it is done; ends the JVM with the exit code of a failure. */
    public static void main(String[] args) {
        Cli.main(new PrepareJob(), args);
    }
}
