package io.rankfeed.spark;

import picocli.CommandLine.Command;

/** The {@code sample} command. */
@Command(
        name = "sample",
        description = "Write the plan: count the strata, choose the rows of every feed, and fix their order for"
                + " every rank and step. Runs prepare first if there is no prepared table.",
        footer = {
            "  ./rankfeed sample conf/jobs/codecontests.yaml --set sample.train.seed=7",
            "  spark-submit --class io.rankfeed.spark.SampleJob rankfeed-spark-jobs.jar \\",
            "      conf/jobs/codecontests.yaml --set sample.train.seed=7"
        })
public final class SampleJob extends JobCommand {
    SampleJob() {
        super(Goal.SAMPLE);
    }

    /** Returns where it is done; ends the JVM with the exit code of a failure. */
    public static void main(String[] args) {
        Cli.main(new SampleJob(), args);
    }
}
