package io.rankfeed.schema.failure;

/** Environment error (disk full, lock held, network, metastore): exit code 4, the only one worth a retry. */
public final class EnvironmentException extends RankfeedException {
    private static final long serialVersionUID = 1L;

    public EnvironmentException(String message) {
        super(message, null);
    }

    public EnvironmentException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public int exitCode() {
        return 4;
    }
}
