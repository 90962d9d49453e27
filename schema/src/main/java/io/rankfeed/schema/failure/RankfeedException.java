package io.rankfeed.schema.failure;

import org.jspecify.annotations.Nullable;

/**
 * A failure that the user can act on. Its message is one line: what is wrong, where, what to do. Any other exception
 * that reaches a command line is a bug and exits with 1.
 */
public abstract sealed class RankfeedException extends RuntimeException
        permits ConfigException, CorruptDataException, EnvironmentException {
    private static final long serialVersionUID = 1L;

    RankfeedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The exit code of a process that ends by this failure. */
    public abstract int exitCode();
}
