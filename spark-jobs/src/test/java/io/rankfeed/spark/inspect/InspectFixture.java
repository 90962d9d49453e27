package io.rankfeed.spark.inspect;

import io.rankfeed.console.Console;
import io.rankfeed.console.Failures;
import io.rankfeed.look.SimulateCommand;
import io.rankfeed.schema.failure.RankfeedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The commands as their users call them. */
final class InspectFixture {
    private InspectFixture() {}

    /** What a call gave. */
    record Answer(int exitCode, String out, String err) {}

    static Answer simulate(String... words) {
        return call(new SimulateCommand(JobParts.STORES, new JobParts()), words);
    }

    static Answer call(Object command, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Console.commandLine(command, InspectFixture.class, Failures.AS_THROWN);
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        line.setExecutionExceptionHandler((e, at, parsed) -> {
            at.getErr().println(e instanceof RankfeedException ? e.getMessage() : "bug: " + e);
            return e instanceof RankfeedException known ? known.exitCode() : 1;
        });
        return new Answer(line.execute(words), out.toString(), err.toString());
    }
}
