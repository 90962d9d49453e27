package io.rankfeed.spark;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code prepare} command, and the main class of its own that operators of Airflow and Kubernetes name. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        description =
                "Makes the prepared table: reads the sources, runs the job's query, packs lists of numbers, and writes Parquet with one row group per block. A table that is there already is used again.",
        footerHeading = "%nExample:%n",
        footer = {
            "  ./rankfeed prepare conf/jobs/codecontests.yaml --dry-run",
            "  spark-submit --class io.rankfeed.spark.PrepareJob rankfeed-spark-jobs.jar conf/jobs/codecontests.yaml --dry-run"
        })
public final class PrepareJob implements Callable<Integer> {
    @Mixin
    private JobOptions options = new JobOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        return JobRun.of(Goal.PREPARE, options, spec.commandLine().getOut());
    }

    /** Ends the JVM with the exit code. */
    public static void main(String[] args) {
        Cli.main(new PrepareJob(), args);
    }
}
