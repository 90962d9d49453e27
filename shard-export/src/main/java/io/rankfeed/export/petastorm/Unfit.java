package io.rankfeed.export.petastorm;

/** What is wrong with a value; the caller knows its column and row. */
public final class Unfit extends Exception {
    private static final long serialVersionUID = 1L;

    public Unfit(String message) {
        super(message);
    }
}
