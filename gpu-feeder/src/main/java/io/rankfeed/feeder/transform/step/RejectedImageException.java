package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.image.BrokenImageException;
import java.util.Locale;

/** States why an image cannot be fed; the caller adds the row. */
public final class RejectedImageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Categories by which rejections are counted. */
    public enum Reason {
        MISSING,
        TOO_LARGE,
        TRUNCATED,
        CORRUPTED,
        UNSUPPORTED;

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

    public static RejectedImageException of(BrokenImageException broken) {
        Reason reason =
                switch (broken.kind()) {
                    case CORRUPTED -> Reason.CORRUPTED;
                    case TRUNCATED -> Reason.TRUNCATED;
                    case UNSUPPORTED -> Reason.UNSUPPORTED;
                };
        return new RejectedImageException(reason, String.valueOf(broken.getMessage()));
    }

    public Reason reason() {
        return reason;
    }
}
