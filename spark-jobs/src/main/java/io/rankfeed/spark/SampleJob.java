package io.rankfeed.spark;

import picocli.CommandLine.Command;

/** The {@code sample} command. */
@Command(
        name = "sample",
        description =
                "Makes the plan: counts the strata, chooses the rows of every feed, and fixes their order for every rank and step. Prepares first what is not prepared.",
        footer = {
            "  ./rankfeed sample conf/jobs/codecontests.yaml --set sample.train.seed=7",
            "  spark-submit --class io.rankfeed.spark.SampleJob rankfeed-spark-jobs.jar conf/jobs/codecontests.yaml --set sample.train.seed=7"
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
