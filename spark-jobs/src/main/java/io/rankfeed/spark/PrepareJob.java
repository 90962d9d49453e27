package io.rankfeed.spark;

import picocli.CommandLine.Command;

/** The {@code prepare} command. */
@Command(
        name = "prepare",
        description = "Write the prepared table: read the sources, run the job's query, pack lists of numbers,"
                + " and write Parquet with one row group per block. A table that exists already is reused.",
        footer = {
            "  ./rankfeed prepare conf/jobs/codecontests.yaml --dry-run",
            "  spark-submit --class io.rankfeed.spark.PrepareJob rankfeed-spark-jobs.jar \\",
            "      conf/jobs/codecontests.yaml --dry-run"
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
