package io.rankfeed.spark.chat.jinja.value;

/** Python's {@code None}. */
public enum None {
    NONE
}
