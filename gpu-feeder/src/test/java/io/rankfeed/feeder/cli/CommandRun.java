package io.rankfeed.feeder.cli;

import io.rankfeed.schema.failure.RankfeedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * A command run in this process.
 *
 * @param exitCode as the feeder's command line maps failures
 */
record CommandRun(int exitCode, String out, String err) {
    static CommandRun of(Object command, Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] words = new String[args.length];
        for (int i = 0; i < args.length; i++) {
            words[i] = args[i].toString();
        }
        int exitCode = new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((e, line, result) -> {
                    line.getErr().println(e.getMessage());
                    return e instanceof RankfeedException failure ? failure.exitCode() : 1;
                })
                .execute(words);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
