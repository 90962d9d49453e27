package io.rankfeed.text.chat.jinja.value;

/** Python's {@code None}. */
public enum None {
    NONE
}
