package io.rankfeed.feeder.machine;

import io.rankfeed.report.Report;
import java.util.List;
import java.util.Locale;

/**
 * One thing that was looked at.
 *
 * @param check its name, as {@code open files}
 * @param found its value, in words
 * @param remedy what to do; empty for {@link Level#OK}
 */
public record Finding(String check, Level level, String found, String remedy) {
    /** How much a finding matters, the most important first. */
    public enum Level {
        /** A feed cannot work. */
        ERROR,
        /** A feed works, and probably slowly or not with many ranks. */
        WARNING,
        /** A feed works; something could be better. */
        NOTE,
        OK
    }

    /** The level in lower case. */
    public String word() {
        return level.name().toLowerCase(Locale.ROOT);
    }

    /** Adds a table of findings to a report. */
    public static void table(Report report, List<Finding> findings) {
        Report.Table table = report.table("findings", "check", "level", "found", "remedy");
        findings.forEach(one ->
                table.add(one.check(), one.word(), one.found(), one.remedy().isEmpty() ? Report.NONE : one.remedy()));
    }

    static Finding ok(String check, String found) {
        return new Finding(check, Level.OK, found, "");
    }
}
