package io.rankfeed.feeder.cli;

import io.rankfeed.console.Console;
import io.rankfeed.console.Failures;
import java.io.PrintWriter;
import java.io.StringWriter;

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
        int exitCode = Console.execute(
                Console.commandLine(command, CommandRun.class, Failures.AS_THROWN)
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true)),
                words);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
