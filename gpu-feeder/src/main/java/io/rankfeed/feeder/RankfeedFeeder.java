package io.rankfeed.feeder;

import io.rankfeed.feeder.cli.ExplainCommand;
import io.rankfeed.feeder.cli.FeedCommand;
import io.rankfeed.feeder.cli.HelpLayout;
import io.rankfeed.feeder.cli.QuickstartCommand;
import io.rankfeed.feeder.cli.VerifyCommand;
import io.rankfeed.schema.failure.RankfeedException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of a training node. */
@Command(
        name = "rankfeed",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description = "Feeds the trainers of one node from the caches that Spark cut.",
        optionListHeading = HelpLayout.OPTIONS,
        commandListHeading = HelpLayout.COMMANDS,
        subcommands = {QuickstartCommand.class, VerifyCommand.class, FeedCommand.class, ExplainCommand.class})
public final class RankfeedFeeder {
    /** As wide as the help of the Spark side. */
    private static final int HELP_CHARS = 110;

    private static final int EXIT_BUG = 1;
    private static final int EXIT_CONFIG = 2;

    private RankfeedFeeder() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Every command, with the exit codes of the house: 0, 2, 3, 4, and 1 for a bug. */
    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new RankfeedFeeder());
        String version = "rankfeed "
                + Objects.requireNonNullElse(
                        RankfeedFeeder.class.getPackage().getImplementationVersion(), "of a source tree");
        line.getCommandSpec().version(version);
        line.getSubcommands().values().forEach(command -> command.getCommandSpec()
                .version(version));
        return line.setUsageHelpWidth(HELP_CHARS)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, args) -> {
                    PrintWriter err = e.getCommandLine().getErr();
                    String command = e.getCommandLine().getCommandSpec().qualifiedName();
                    boolean mayBeACommands = e instanceof CommandLine.UnmatchedArgumentException
                            && command.endsWith(" feed")
                            && !List.of(args).contains("--");
                    String hint = mayBeACommands ? "; the flags of a command to run beside it go after --" : "";
                    err.println(
                            command + ": " + e.getMessage() + hint + "; " + command + " --help shows how it is used");
                    return EXIT_CONFIG;
                })
                .setExecutionExceptionHandler((e, command, result) -> {
                    PrintWriter err = command.getErr();
                    if (e instanceof RankfeedException failure) {
                        err.println("rankfeed: " + failure.getMessage());
                        return failure.exitCode();
                    }
                    err.println("rankfeed: a bug: " + e);
                    e.printStackTrace(err);
                    return EXIT_BUG;
                });
    }
}
