package io.rankfeed.feeder.text;

import java.util.Locale;

/** States why the tokens of a row cannot be fed; the caller adds the row. */
public final class RejectedRowException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Categories by which rejections are counted. */
    public enum Reason {
        MISSING,
        TOO_LONG,
        INVALID_PROMPT,
        INVALID_SPANS,
        INVALID_MEMBERS,
        INVALID_IMAGES;

        /** The name in reports. */
        public String id() {
            return "text-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final transient Reason reason;

    public RejectedRowException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
