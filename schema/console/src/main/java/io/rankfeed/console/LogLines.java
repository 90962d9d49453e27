package io.rankfeed.console;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Writes a log to a stream: messages as text, or objects of JSON. */
public final class LogLines implements Log {
    private final PrintStream out;
    private final LogLevel lowest;
    private final String prefix;
    private final @Nullable JsonLines json;

    private LogLines(PrintStream out, LogLevel lowest, String prefix, @Nullable JsonLines json) {
        this.out = out;
        this.lowest = lowest;
        this.prefix = prefix;
        this.json = json;
    }

    /** Writes the messages of every level but debug. */
    public static LogLines text(PrintStream out) {
        return new LogLines(out, LogLevel.INFO, "", null);
    }

    static LogLines of(PrintStream out, LogLevel lowest, @Nullable JsonLines json) {
        return new LogLines(out, lowest, "", json);
    }

    /** The same log, with words in front of each message in text. */
    public LogLines prefixed(String words) {
        return new LogLines(out, lowest, words, json);
    }

    public boolean isJson() {
        return json != null;
    }

    @Override
    public void write(LogEvent event) {
        if (event.level().compareTo(lowest) < 0) {
            return;
        }
        if (json == null) {
            out.println(Console.printable(prefix + event.message()));
        } else {
            PrintableStream.printObject(out, json.line(event));
        }
    }
}
