package io.rankfeed.console;

import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.schema.failure.ResourceFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs commands: the same help layout, options and exit codes for all, and a failure is one line without secrets. */
public final class Console {
    /** A process that ends by a bug. */
    public static final int BUG = 1;

    private static final int CONFIGURATION_ERROR = 2;
    private static final int WIDTH = 100;
    private static final String VERBOSE = "--verbose";

    /** Shell variables that hold a folder, not a password. */
    private static final Set<String> SHELL = Set.of("PWD", "OLDPWD");

    private static final Map<String, String> EXIT_CODES = exitCodes();

    private Console() {}

    /**
     * The command line of a command and its subcommands, which it makes itself if it is a factory.
     *
     * @param source a class of the jar whose version {@code --version} prints
     */
    public static CommandLine commandLine(Object command, Class<?> source, Failures failures) {
        CommandLine line =
                new CommandLine(command, command instanceof IFactory factory ? factory : CommandLine.defaultFactory());
        String version = "rankfeed "
                + Objects.requireNonNullElse(source.getPackage().getImplementationVersion(), "of a source tree");
        layOut(line.getCommandSpec(), version);
        line.getSubcommands().values().forEach(each -> layOut(each.getCommandSpec(), version));
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, args) -> reject(e, String.valueOf(e.getMessage())))
                .setExecutionExceptionHandler((e, at, parsed) -> fail(e, failures, isVerbose(parsed), at.getErr()));
    }

    /** Runs a command line; an {@link Error} is a bug, unless the system refused memory or a thread. */
    public static int execute(CommandLine line, String... args) {
        System.getenv().forEach((name, value) -> {
            if (!SHELL.contains(name)) {
                Redaction.learn(name, value);
            }
        });
        List.of(args).forEach(Redaction::learn);
        try {
            return line.execute(args);
        } catch (Error e) {
            return fail(e, Failures.AS_THROWN, false, line.getErr());
        }
    }

    /** Prints why arguments are rejected; returns the exit code. */
    public static int reject(ParameterException e, String message) {
        CommandLine at = e.getCommandLine();
        List<String> unknown = at.getUnmatchedArguments();
        // An unknown option is why a parameter is missing more often than not: picocli reports the latter alone.
        boolean isUnknown = e instanceof MissingParameterException && !unknown.isEmpty();
        String why = isUnknown ? String.valueOf(new UnmatchedArgumentException(at, unknown).getMessage()) : message;
        print(at.getErr(), oneLine(why) + " (see " + at.getCommandSpec().qualifiedName() + " --help)");
        return CONFIGURATION_ERROR;
    }

    /** Prints what is wrong, as a line. */
    public static void print(PrintWriter err, String line) {
        print(err, new LogEvent(LogLevel.ERROR, line, Map.of()));
    }

    private static void print(PrintWriter err, LogEvent event) {
        if (!PrintableStream.isPrintedAsObject(event)) {
            err.println(printable("rankfeed: " + event.message()));
            err.flush();
        }
    }

    /** Replaces secrets and escapes control characters of a line for users. Names in it come from data. */
    public static String printable(String line) {
        return Printable.line(Redaction.text(line));
    }

    /** The exit code of a process that ends by a failure. */
    public static int exitCode(Throwable failure) {
        return failure instanceof RankfeedException known ? known.exitCode() : BUG;
    }

    /** The message of a failure as one line: those of libraries have several. */
    public static String oneLine(Throwable failure) {
        return oneLine(failure.getMessage() == null ? failure.toString() : failure.getMessage());
    }

    private static String oneLine(String message) {
        return message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce((a, b) -> a + " " + b)
                .orElse("");
    }

    private static int fail(Throwable thrown, Failures failures, boolean isVerbose, PrintWriter err) {
        List<? extends Throwable> found = failures.of(thrown);
        if (!(found.get(0) instanceof RankfeedException)) {
            found = ResourceFailure.of(thrown)
                    .<List<? extends Throwable>>map(List::of)
                    .orElse(found);
        }
        Throwable first = found.get(0);
        boolean isKnown = first instanceof RankfeedException;
        found.forEach(failure -> print(
                err,
                new LogEvent(LogLevel.ERROR, (isKnown ? "" : "this is a bug: ") + oneLine(failure), Map.of())
                        .with("exit_code", exitCode(first))));
        if (isVerbose || !isKnown) {
            StringWriter trace = new StringWriter();
            first.printStackTrace(new PrintWriter(trace));
            err.print(Printable.lines(Redaction.text(trace.toString())));
            err.flush();
        }
        return exitCode(first);
    }

    private static void layOut(CommandSpec spec, String version) {
        spec.mixinStandardHelpOptions(true);
        spec.version(version);
        spec.addOption(OptionSpec.builder(VERBOSE)
                .type(boolean.class)
                .description("Print more: all of a report, the resolved job of a dry run, the stack trace of an"
                        + " error. Default:"
                        + " off.")
                .build());
        Map<String, String> exitCodes = new LinkedHashMap<>(EXIT_CODES);
        exitCodes.putAll(spec.usageMessage().exitCodeList());
        spec.usageMessage()
                .width(WIDTH)
                .synopsisHeading("Usage: ")
                .descriptionHeading("%n")
                .parameterListHeading("%nParameters:%n")
                .optionListHeading("%nOptions:%n")
                .commandListHeading("%nCommands:%n")
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes)
                .footerHeading("%nExample:%n");
    }

    /** Whether the user asked for more than the answer. */
    public static boolean isVerbose(ParseResult parsed) {
        return parsed.hasMatchedOption(VERBOSE) || (parsed.hasSubcommand() && isVerbose(parsed.subcommand()));
    }

    private static Map<String, String> exitCodes() {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put("0", "Success; also if there was nothing to do.");
        codes.put("1", "Bug in rankfeed.");
        codes.put("2", "Configuration error: job file, option or SQL. Do not retry.");
        codes.put("3", "Corrupted data: an input or an artifact. Do not retry.");
        codes.put("4", "Environment error: this machine, its storage or its network. Retry.");
        codes.put("129, 130, 143", "Stopped by SIGHUP, SIGINT, SIGTERM.");
        return codes;
    }
}
