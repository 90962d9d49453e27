package io.rankfeed.feeder.transform.step;

import java.util.Locale;

/** Why an image cannot be fed; the caller knows the row. */
public final class RejectedImageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** By which rejections are counted. */
    public enum Reason {
        MISSING,
        TOO_LARGE,
        TRUNCATED,
        CORRUPTED;

        /** The name in reports. */
        public String id() {
            return "image-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final transient Reason reason;

    public RejectedImageException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
