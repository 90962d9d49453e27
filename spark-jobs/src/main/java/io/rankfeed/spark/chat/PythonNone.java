package io.rankfeed.spark.chat;

/** Python's {@code None}. A Java null is a value that is missing. */
enum PythonNone {
    NONE;

    @Override
    public String toString() {
        return "None";
    }
}
