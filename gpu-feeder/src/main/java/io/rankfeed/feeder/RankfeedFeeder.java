package io.rankfeed.feeder;

import io.rankfeed.console.Console;
import io.rankfeed.console.Failures;
import io.rankfeed.console.PrintableStream;
import io.rankfeed.feeder.cli.BenchCommand;
import io.rankfeed.feeder.cli.CheckCommand;
import io.rankfeed.feeder.cli.DiagnoseCommand;
import io.rankfeed.feeder.cli.DoctorCommand;
import io.rankfeed.feeder.cli.FeedCommand;
import io.rankfeed.feeder.cli.NodeParts;
import io.rankfeed.feeder.cli.PreviewCommand;
import io.rankfeed.feeder.cli.VerifyCommand;
import io.rankfeed.feeder.explain.ExplainCommand;
import io.rankfeed.feeder.importing.ImportCommand;
import io.rankfeed.feeder.plan.PlanCommand;
import io.rankfeed.feeder.quickstart.QuickstartCommand;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.look.InspectCommand;
import io.rankfeed.look.SimulateCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The commands of a training node. */
@Command(
        name = "rankfeed",
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description = "Feed the trainers of one node from the caches that the Spark jobs write.",
        footer = "  rankfeed feed VERSION-DIR -- torchrun --nproc-per-node 4 train.py",
        subcommands = {
            QuickstartCommand.class,
            ImportCommand.class,
            VerifyCommand.class,
            FeedCommand.class,
            PlanCommand.class,
            ExplainCommand.class,
            PreviewCommand.class,
            InspectCommand.class,
            CheckCommand.class,
            DoctorCommand.class,
            DiagnoseCommand.class,
            BenchCommand.class,
            SimulateCommand.class
        })
public final class RankfeedFeeder implements IFactory {
    private RankfeedFeeder() {}

    @Override
    public <K> K create(Class<K> type) throws Exception {
        if (type == InspectCommand.class) {
            return type.cast(new InspectCommand(VersionLocation::store));
        } else if (type == SimulateCommand.class) {
            return type.cast(new SimulateCommand(VersionLocation::store, new NodeParts()));
        }
        return CommandLine.defaultFactory().create(type);
    }

    public static void main(String[] args) {
        PrintableStream.install();
        System.exit(Console.execute(commandLine(), args));
    }

    /** Returns the root command with all commands. */
    public static CommandLine commandLine() {
        return Console.commandLine(new RankfeedFeeder(), RankfeedFeeder.class, Failures.AS_THROWN)
                .setParameterExceptionHandler((e, args) -> Console.reject(e, e.getMessage() + hint(e, args)));
    }

    private static String hint(ParameterException e, String[] args) {
        boolean mayBeOfTheCommand = e instanceof UnmatchedArgumentException
                && List.of("feed", "diagnose").contains(e.getCommandLine().getCommandName())
                && !List.of(args).contains("--");
        return mayBeOfTheCommand ? "; write the options of the command to run after --" : "";
    }
}
