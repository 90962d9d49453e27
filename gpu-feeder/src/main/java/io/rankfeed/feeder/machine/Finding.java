package io.rankfeed.feeder.machine;

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

    static Finding ok(String check, String found) {
        return new Finding(check, Level.OK, found, "");
    }
}
