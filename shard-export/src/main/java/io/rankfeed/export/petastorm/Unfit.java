package io.rankfeed.export.petastorm;

/** A value that does not fit its field. The message says what is wrong; the caller adds the column and the row. */
public final class Unfit extends Exception {
    private static final long serialVersionUID = 1L;

    public Unfit(String message) {
        super(message);
    }
}
