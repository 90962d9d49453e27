package io.rankfeed.console;

/** Where the lines go that a command logs. */
@FunctionalInterface
public interface Log {
    void write(LogEvent event);

    default void info(String message) {
        write(LogEvent.info(message));
    }

    default void warning(String message) {
        write(LogEvent.warning(message));
    }
}
