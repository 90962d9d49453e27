package io.rankfeed.spark;

import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.source.SparkFailures;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** From words to an exit code: every failure is one line on stderr. */
final class Cli {
    private static final int WRONG_WORDS = 2;
    private static final int BUG = 1;

    private Cli() {}

    /** Runs a command and ends the JVM with its code. */
    static void main(Object command, String[] args) {
        System.exit(execute(command, args));
    }

    static int execute(Object command, String[] args) {
        List<String> words = Arrays.asList(args);
        boolean verbose = words.contains("--verbose");
        String[] rest = words.stream().filter(word -> !word.equals("--verbose")).toArray(String[]::new);
        CommandLine line = new CommandLine(command);
        line.setUsageHelpWidth(110);
        line.setParameterExceptionHandler((e, given) -> wrongWords(e));
        line.setExecutionExceptionHandler((e, at, parsed) -> failed(e, verbose, at.getErr()));
        return line.execute(rest);
    }

    private static int wrongWords(ParameterException e) {
        CommandLine at = e.getCommandLine();
        String name = at.getCommandSpec().qualifiedName();
        at.getErr().println("rankfeed: " + Redaction.text(oneLine(e)) + " (see " + name + " --help)");
        return WRONG_WORDS;
    }

    private static int failed(Exception thrown, boolean verbose, PrintWriter err) {
        RuntimeException e = SparkFailures.translated(thrown);
        boolean known = e instanceof RankfeedException;
        err.println("rankfeed: " + (known ? "" : "this is a bug: ") + Redaction.text(oneLine(e)));
        if (verbose || !known) {
            e.printStackTrace(err);
        }
        err.flush();
        return exitCode(e);
    }

    static int exitCode(Throwable e) {
        return e instanceof RankfeedException known ? known.exitCode() : BUG;
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
