package io.rankfeed.schema.failure;

/** What the user wrote (a job, a feed file, a flag) cannot be done as written: exit code 2, never worth a retry. */
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
