package io.rankfeed.spark.petastorm;

/** What is wrong with a value; the caller knows its column and row. */
final class Unfit extends Exception {
    private static final long serialVersionUID = 1L;

    Unfit(String message) {
        super(message);
    }
}
