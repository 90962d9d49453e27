package io.rankfeed.text.chat.jinja.node;

/** How a statement ends. */
public enum Flow {
    NEXT,
    BREAK,
    CONTINUE
}
