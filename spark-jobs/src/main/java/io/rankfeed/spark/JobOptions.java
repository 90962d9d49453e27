package io.rankfeed.spark;

import io.rankfeed.console.Console;
import io.rankfeed.console.ProgressOption;
import io.rankfeed.spark.run.ConsoleProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command-line options of every job. */
final class JobOptions {
    @Parameters(
            index = "0",
            paramLabel = "JOB.yaml",
            description = "The job file: a local path, a file shipped with --files, or any Hadoop path.")
    private String file = "";

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "Override one value of the job file, as in --set sample.train.batch=64. May be repeated, the last"
                            + " one counts. Default: none.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--run-id",
            paramLabel = "ID",
            description =
                    "Name of the run: up to 200 letters, digits and ._+:- but not 'latest'; : and + become - in its"
                            + " folder's name. A run that is committed already ends at once with 0; with another job, with"
                            + " 2. Default: the time.")
    private @Nullable String runId;

    @Option(
            names = "--dry-run",
            description =
                    "Writes nothing. Prints what would come out, counted over the real input: rows, strata wanted and"
                            + " available, steps per rank, sizes. All that the run would refuse is printed, one line each,"
                            + " with exit code 2. Default: off.")
    private boolean dryRun;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private ProgressOption progress = new ProgressOption();

    String file() {
        return file;
    }

    List<String> assignments() {
        return assignments;
    }

    Optional<String> runId() {
        return Optional.ofNullable(runId);
    }

    boolean isDryRun() {
        return dryRun;
    }

    boolean isVerbose() {
        return Console.isVerbose(spec.commandLine().getParseResult());
    }

    ConsoleProgress progress() {
        return new ConsoleProgress(System.err, progress.style());
    }
}
