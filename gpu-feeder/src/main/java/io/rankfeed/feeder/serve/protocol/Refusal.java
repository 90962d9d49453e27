package io.rankfeed.feeder.serve.protocol;

import io.rankfeed.schema.failure.RankfeedException;

/** Ends one connection with an ERROR frame; never leaves this package. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public Refusal(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    public Refusal(ErrorCode code, RankfeedException cause) {
        super(cause.getMessage(), cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
