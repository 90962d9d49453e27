package io.rankfeed.schema.failure;

import org.jspecify.annotations.Nullable;

/**
 * A failure that the user can act on. Its message is one line: what is wrong, where, what to do. Any other exception
 * that reaches a command line is a bug and exits with 1.
 */
public abstract sealed class RankfeedException extends RuntimeException
        permits ConfigException, CorruptDataException, EnvironmentException {
    private static final long serialVersionUID = 1L;

    private final String message;

    RankfeedException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.message = oneLine(message);
    }

    /** The exit code of a process that ends by this failure. */
    public abstract int exitCode();

    @Override
    public String getMessage() {
        return message;
    }

    /** Messages quote bytes of damaged files: what they hold must not break a line or steer a terminal. */
    private static String oneLine(String text) {
        return Printable.line(text);
    }
}
