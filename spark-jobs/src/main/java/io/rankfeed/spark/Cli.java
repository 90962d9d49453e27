package io.rankfeed.spark;

import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.source.Refusals;
import io.rankfeed.spark.source.SparkFailures;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import scala.Option;

/** From words to an exit code: every failure is one line on stderr. */
final class Cli {
    private static final int WRONG_WORDS = 2;
    private static final int BUG = 1;
    private static final String VERBOSE = "--verbose";
    private static final Map<String, String> EXIT_CODES = exitCodes();

    private Cli() {}

    /**
     * Runs a command. A failure ends the JVM with its code; success returns once Spark has stopped: YARN takes whatever
     * ends the JVM of a driver for a failure.
     */
    static void main(Object command, String[] args) {
        int exitCode = execute(line(command), args);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
        Option<SparkSession> session = SparkSession.getDefaultSession();
        if (session.isDefined()) {
            session.get().stop();
        }
    }

    static int execute(CommandLine line, String... args) {
        line.setParameterExceptionHandler((e, given) -> wrongWords(e));
        line.setExecutionExceptionHandler((e, at, parsed) -> failed(e, isVerbose(parsed), at.getErr()));
        try {
            return line.execute(args);
        } catch (Error e) {
            // Of the errors picocli takes care of none.
            return failed(e, true, line.getErr());
        }
    }

    /** The command and its subcommands, with the help and the options that all have in common. */
    static CommandLine line(Object command) {
        CommandLine line = new CommandLine(command);
        shape(line);
        line.getSubcommands().values().forEach(Cli::shape);
        return line;
    }

    private static void shape(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        spec.mixinStandardHelpOptions(true);
        spec.version("rankfeed "
                + Objects.requireNonNullElse(Cli.class.getPackage().getImplementationVersion(), "of a source tree"));
        spec.addOption(OptionSpec.builder(VERBOSE)
                .type(boolean.class)
                .description("Adds the stack to an error. Default: off.")
                .build());
        spec.usageMessage()
                .width(110)
                .synopsisHeading("Usage: ")
                .descriptionHeading("%n")
                .parameterListHeading("%n")
                .optionListHeading("%nOptions:%n")
                .commandListHeading("%nCommands:%n")
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes(spec.usageMessage().exitCodeList()))
                .footerHeading("%nExample:%n");
    }

    private static boolean isVerbose(ParseResult parsed) {
        return parsed.hasMatchedOption(VERBOSE) || (parsed.hasSubcommand() && isVerbose(parsed.subcommand()));
    }

    private static int wrongWords(ParameterException e) {
        CommandLine at = e.getCommandLine();
        String name = at.getCommandSpec().qualifiedName();
        at.getErr().println("rankfeed: " + Redaction.text(oneLine(e)) + " (see " + name + " --help)");
        return WRONG_WORDS;
    }

    private static int failed(Throwable thrown, boolean verbose, PrintWriter err) {
        RuntimeException e = SparkFailures.translated(thrown);
        boolean known = e instanceof RankfeedException;
        lines(e).forEach(line -> err.println("rankfeed: " + (known ? "" : "this is a bug: ") + Redaction.text(line)));
        if (verbose || !known) {
            e.printStackTrace(err);
        }
        err.flush();
        return exitCode(e);
    }

    static int exitCode(Throwable e) {
        return e instanceof RankfeedException known ? known.exitCode() : BUG;
    }

    /** A line for the failure and one for each refusal that came with it. */
    static List<String> lines(Throwable e) {
        return Refusals.all(e).map(Cli::oneLine).toList();
    }

    /** Those of every command, and a command's own. */
    private static Map<String, String> exitCodes(Map<String, String> own) {
        Map<String, String> codes = new LinkedHashMap<>(EXIT_CODES);
        codes.putAll(own);
        return codes;
    }

    private static Map<String, String> exitCodes() {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put("0", "Done, or found done.");
        codes.put("1", "A bug.");
        codes.put("2", "What you wrote cannot be: the job, a flag, the SQL. Not worth a retry.");
        codes.put("3", "Damaged data: an input or an artefact.");
        codes.put("4", "This machine, its storage or network. Worth a retry.");
        codes.put("129, 130, 143", "Stopped by a signal: SIGHUP, SIGINT, SIGTERM.");
        return codes;
    }

    /** Spark's messages run over many lines; ours do not. */
    static String oneLine(Throwable e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce((a, b) -> a + " " + b)
                .orElse("");
    }
}
