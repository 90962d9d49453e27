package io.rankfeed.spark.image;

/** What is wrong with a file; the caller knows the row. */
public final class BrokenImageException extends Exception {
    private static final long serialVersionUID = 1L;

    BrokenImageException(String message) {
        super(message);
    }
}
