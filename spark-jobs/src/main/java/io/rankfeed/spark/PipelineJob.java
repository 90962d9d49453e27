package io.rankfeed.spark;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code pipeline} command, and the main class of its own that operators of Airflow and Kubernetes name. */
@Command(
        name = "pipeline",
        mixinStandardHelpOptions = true,
        description = "Does prepare, sample and export in one Spark application.",
        footerHeading = "%nExample:%n",
        footer = {
            "  ./rankfeed pipeline conf/jobs/codecontests.yaml --run-id monday",
            "  spark-submit --class io.rankfeed.spark.PipelineJob rankfeed-spark-jobs.jar conf/jobs/codecontests.yaml --run-id monday"
        })
public final class PipelineJob implements Callable<Integer> {
    @Mixin
    private JobOptions options = new JobOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        return JobRun.of(Goal.PIPELINE, options, spec.commandLine().getOut());
    }

    /** Ends the JVM with the exit code. */
    public static void main(String[] args) {
        Cli.main(new PipelineJob(), args);
    }
}
