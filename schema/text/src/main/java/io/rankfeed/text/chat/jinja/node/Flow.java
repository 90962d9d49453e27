package io.rankfeed.text.chat.jinja.node;

/** The way in which a statement ends. */
public enum Flow {
    NEXT,
    BREAK,
    CONTINUE
}
