package io.rankfeed.spark;

import io.rankfeed.spark.generate.GenerateCommand;
import io.rankfeed.spark.inspect.InspectCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All commands that need Spark, behind one main class. */
@Command(
        name = "rankfeed",
        mixinStandardHelpOptions = true,
        description = {
            "From tables to the caches that training ranks read.",
            "A job file says what a dataset is; prepare, sample and export make it, pipeline does all three."
        },
        subcommands = {
            GenerateCommand.class,
            PrepareJob.class,
            SampleJob.class,
            ExportJob.class,
            PipelineJob.class,
            InspectCommand.class
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  spark-submit --class io.rankfeed.spark.RankfeedJobs rankfeed-spark-jobs.jar pipeline job.yaml",
            "",
            "--verbose, anywhere, adds the stack to an error. Exit codes: 0 done, 1 a bug, 2 what you wrote,",
            "3 damaged data, 4 this machine or network, 130/143 stopped by a signal."
        })
public final class RankfeedJobs implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** Ends the JVM with the exit code. */
    public static void main(String[] args) {
        Cli.main(new RankfeedJobs(), args);
    }
}
