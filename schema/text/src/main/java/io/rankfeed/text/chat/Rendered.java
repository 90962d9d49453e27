package io.rankfeed.text.chat;

import java.util.List;

/**
 * Messages as text.
 *
 * @param text as the tokenizer gets it
 * @param spans [begin, end) of what the assistant says, ascending, in UTF-16 units of the text
 */
public record Rendered(String text, List<Span> spans) {
    /** A part of the text. */
    public record Span(int begin, int end) {}
}
