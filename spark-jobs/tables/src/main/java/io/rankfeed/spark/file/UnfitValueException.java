package io.rankfeed.spark.file;

import java.util.Locale;

/** A value that a row cannot have; who throws it does not know the row. */
public final class UnfitValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The reasons by which bad rows are counted. */
    public enum Reason {
        /** A key column is null. */
        NULL_KEY,
        /** An earlier row has the same key. */
        DUPLICATE_KEY,
        /** A number is NaN or infinite where the job refuses such. */
        NON_FINITE,
        /** A list that does not fit its dtype or shape. */
        UNFIT_TENSOR,
        /** A value that Spark's own functions refuse: a cast, an overflow, a division by zero. */
        UNFIT_VALUE,
        /** The query's raise_error or assert_true. */
        RAISED,
        TEXT_TOO_LONG,
        IMAGE_MISSING,
        IMAGE_BROKEN,
        IMAGE_TOO_LARGE,
        UNKNOWN_LABEL,
        /** A conversation that its chat template refuses, or that is none. */
        UNFIT_CHAT,
        /** A line of a JSON lines file that is none. */
        MALFORMED_LINE,
        /** A line with a value of another type than its column's, or a row of a file of another schema. */
        SCHEMA_DRIFT;

        /** The name in manifests and reports. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final Reason reason;

    public UnfitValueException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
