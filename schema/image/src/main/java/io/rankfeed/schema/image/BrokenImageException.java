package io.rankfeed.schema.image;

/** An image file that cannot be decoded. The message says what is wrong; the caller adds the row. */
public final class BrokenImageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The reason why the image is rejected. */
    public enum Kind {
        /** The file does not follow its format. */
        CORRUPTED,
        /** The file ends before its last pixel. */
        TRUNCATED,
        /** The file is valid, but no decoder here decodes it by the decoding contract. */
        UNSUPPORTED
    }

    private final Kind kind;

    public BrokenImageException(String message) {
        this(Kind.CORRUPTED, message);
    }

    BrokenImageException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
