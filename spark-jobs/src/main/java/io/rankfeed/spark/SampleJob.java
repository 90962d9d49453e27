package io.rankfeed.spark;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code sample} command, and the main class of its own that operators of Airflow and Kubernetes name. */
@Command(
        name = "sample",
        mixinStandardHelpOptions = true,
        description =
                "Makes the plan: counts the strata, chooses the rows of every feed, and fixes their order for every rank and step. Prepares first what is not prepared.",
        footerHeading = "%nExample:%n",
        footer = {
            "  ./rankfeed sample conf/jobs/codecontests.yaml --set sample.train.seed=7",
            "  spark-submit --class io.rankfeed.spark.SampleJob rankfeed-spark-jobs.jar conf/jobs/codecontests.yaml --set sample.train.seed=7"
        })
public final class SampleJob implements Callable<Integer> {
    @Mixin
    private JobOptions options = new JobOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        return JobRun.of(Goal.SAMPLE, options, spec.commandLine().getOut());
    }

    /** Ends the JVM with the exit code. */
    public static void main(String[] args) {
        Cli.main(new SampleJob(), args);
    }
}
