package io.rankfeed.schema.failure;

/**
 * A configuration error: the job, the feed file or the flag cannot be run as written. The exit code is 2, and a retry
 * fails too.
 */
public final class ConfigException extends RankfeedException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message, null);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public int exitCode() {
        return 2;
    }
}
