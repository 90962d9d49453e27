package io.rankfeed.console;

import java.time.InstantSource;
import picocli.CommandLine.Option;

/** The options {@code --log-format} and {@code --log-level} of the feeder's commands that take long. */
public final class LogOption {
    @Option(
            names = "--log-format",
            paramLabel = "text|json",
            description = "Write the log as text, or as JSON: one object per line. Default: text.",
            converter = FormatConverter.class)
    private Format format = Format.TEXT;

    @Option(
            names = "--log-level",
            paramLabel = "debug|info|warning|error",
            description = "Write the lines of this level and those that matter more. Default: info.",
            converter = LevelConverter.class)
    private LogLevel level = LogLevel.INFO;

    enum Format {
        TEXT,
        JSON
    }

    /** The style of progress next to this log: no bar is drawn between objects. */
    public ProgressStyle style(ProgressOption progress) {
        return format == Format.JSON && progress.style() == ProgressStyle.AUTO ? ProgressStyle.PLAIN : progress.style();
    }

    /** As {@link #start}, without lines of the level info. */
    public LogLines startQuiet() {
        if (level == LogLevel.INFO) {
            level = LogLevel.WARNING;
        }
        return start();
    }

    /** Begins the log of this process. In JSON, from now on all that is written to System.err becomes objects. */
    public LogLines start() {
        if (format == Format.TEXT) {
            return LogLines.of(System.err, level, null);
        }
        // The one place with the time of day: in a line of a log, it is what a reader compares with other machines.
        JsonLines json = new JsonLines(InstantSource.system());
        PrintableStream.writeObjects(json);
        return LogLines.of(System.err, level, json);
    }

    /** Converts the word of a format. */
    static final class FormatConverter extends LowerCaseWord<Format> {
        FormatConverter() {
            super(Format.values());
        }
    }

    /** Converts the word of a level. */
    static final class LevelConverter extends LowerCaseWord<LogLevel> {
        LevelConverter() {
            super(LogLevel.values());
        }
    }
}
