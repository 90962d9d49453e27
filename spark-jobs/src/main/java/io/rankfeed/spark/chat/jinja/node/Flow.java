package io.rankfeed.spark.chat.jinja.node;

/** How a statement ends. */
public enum Flow {
    NEXT,
    BREAK,
    CONTINUE
}
