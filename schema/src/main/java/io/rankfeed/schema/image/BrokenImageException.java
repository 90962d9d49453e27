package io.rankfeed.schema.image;

/** What is wrong with a file; the caller knows the row. */
public final class BrokenImageException extends Exception {
    private static final long serialVersionUID = 1L;

    public BrokenImageException(String message) {
        super(message);
    }
}
