package io.rankfeed.spark;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code export} command, and the main class of its own that operators of Airflow and Kubernetes name. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description =
                "Makes the version: writes the lanes that feeders read, one set per virtual rank. Prepares and plans first what is not there.",
        footerHeading = "%nExample:%n",
        footer = {
            "  ./rankfeed export conf/jobs/codecontests.yaml",
            "  spark-submit --class io.rankfeed.spark.ExportJob rankfeed-spark-jobs.jar conf/jobs/codecontests.yaml"
        })
public final class ExportJob implements Callable<Integer> {
    @Mixin
    private JobOptions options = new JobOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        return JobRun.of(Goal.EXPORT, options, spec.commandLine().getOut());
    }

    /** Ends the JVM with the exit code. */
    public static void main(String[] args) {
        Cli.main(new ExportJob(), args);
    }
}
