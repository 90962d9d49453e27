package io.rankfeed.spark.run;

/** Messages for the user while a job runs. Implementations may be called from several threads. */
@FunctionalInterface
public interface Progress {
    /** Reports nothing. */
    Progress NONE = line -> {};

    /** A phase begins; its tasks are counted from now on. */
    default void phase(String name) {}

    /** Reports a line about the phase that runs. */
    void note(String line);

    /** Reports a line of a longer text, unchanged. */
    default void detail(String line) {}

    /** A figure about the implementation, for whoever tunes it; logged at debug level. */
    default void debug(String line) {}

    /** Ends the phase; nothing runs until the next one. */
    default void ended() {}
}
