package io.rankfeed.console;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line of a log (docs/reference/log.md).
 *
 * @param message what a human reads; it has the fields' numbers too
 * @param fields numbers and names for programs, by a name in snake_case
 */
public record LogEvent(LogLevel level, String message, Map<String, Object> fields) {
    public LogEvent {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    public static LogEvent info(String message) {
        return new LogEvent(LogLevel.INFO, message, Map.of());
    }

    public static LogEvent warning(String message) {
        return new LogEvent(LogLevel.WARNING, message, Map.of());
    }

    /** Adds a field. */
    public LogEvent with(String name, long number) {
        return plus(name, number);
    }

    /** Adds a field, rounded to three decimals. A number that JSON does not have is 0. */
    public LogEvent with(String name, double number) {
        return plus(name, Double.isFinite(number) ? Math.rint(number * 1e3) / 1e3 : 0.0);
    }

    /** Adds a field. */
    public LogEvent with(String name, String text) {
        return plus(name, text);
    }

    private LogEvent plus(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return new LogEvent(level, message, more);
    }
}
