package io.rankfeed.spark;

import io.rankfeed.console.Console;
import io.rankfeed.look.InspectCommand;
import io.rankfeed.look.SimulateCommand;
import io.rankfeed.spark.generate.GenerateCommand;
import io.rankfeed.spark.inspect.DiffCommand;
import io.rankfeed.spark.inspect.JobParts;
import io.rankfeed.spark.prune.PruneCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The main class of all commands that need Spark. */
@Command(
        name = "rankfeed",
        description = {
            "From tables to the caches that training ranks read. A job file says what a dataset is;"
                    + " prepare, sample and export make it, pipeline does all three."
        },
        subcommands = {
            InitCommand.class,
            GenerateCommand.class,
            PrepareJob.class,
            SampleJob.class,
            ExportJob.class,
            PipelineJob.class,
            InspectCommand.class,
            SimulateCommand.class,
            DiffCommand.class,
            PruneCommand.class
        },
        footer = {
            "  ./rankfeed pipeline conf/jobs/codecontests.yaml --run-id monday",
            "  spark-submit --class io.rankfeed.spark.RankfeedJobs rankfeed-spark-jobs.jar \\",
            "      pipeline conf/jobs/codecontests.yaml"
        })
public final class RankfeedJobs implements Runnable, IFactory {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        if (type == InspectCommand.class) {
            return type.cast(new InspectCommand(JobParts.STORES));
        } else if (type == SimulateCommand.class) {
            return type.cast(new SimulateCommand(JobParts.STORES, new JobParts()));
        }
        return CommandLine.defaultFactory().create(type);
    }

    /** Returns where it is done; ends the JVM with the exit code of a failure. */
    public static void main(String[] args) {
        Cli.main(new RankfeedJobs(), args);
    }

    /** Runs a command in a JVM that goes on. @return its exit code */
    public static int execute(String... args) {
        return Console.execute(commandLine(), args);
    }

    /** Returns the root command with all commands. */
    public static CommandLine commandLine() {
        return Cli.line(new RankfeedJobs());
    }
}
