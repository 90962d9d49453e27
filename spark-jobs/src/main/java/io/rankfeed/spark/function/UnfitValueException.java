package io.rankfeed.spark.function;

/** A value that a function was told to refuse, in a row that nobody knows here. */
public final class UnfitValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What bad rows are counted by; the lower-case name with dashes is what manifests and reports say. */
    public enum Reason {
        TEXT_TOO_LONG,
        IMAGE_MISSING,
        IMAGE_BROKEN,
        IMAGE_TOO_LARGE,
        UNKNOWN_LABEL
    }

    private final Reason reason;

    UnfitValueException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
