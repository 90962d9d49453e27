package io.rankfeed.feeder.serve;

import io.rankfeed.schema.failure.RankfeedException;

/** Ends one connection with an ERROR frame; never leaves this package. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    Refusal(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    Refusal(ErrorCode code, RankfeedException cause) {
        super(cause.getMessage(), cause);
        this.code = code;
    }

    ErrorCode code() {
        return code;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
