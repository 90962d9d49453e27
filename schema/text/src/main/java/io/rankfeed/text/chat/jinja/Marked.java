package io.rankfeed.text.chat.jinja;

import io.rankfeed.text.chat.jinja.value.Text;
import java.util.ArrayList;
import java.util.List;

/**
 * The text that a template wrote, with what is known of each part.
 *
 * @param spans ascending; of characters that the template wrote outside of turns there are none
 */
public record Marked(String text, List<Span> spans) {
    /**
     * Adjacent characters of which the same is known.
     *
     * @param begin index of the first one
     * @param end index after the last one
     * @param source where they came from, a number of {@link Variables#setMessages}; 0 for the template
     * @param turn the number of the message, from 1, whose iteration wrote them; 0 for none
     * @param isGeneration whether they are in a {@code generation} block
     */
    public record Span(int begin, int end, int source, int turn, boolean isGeneration) {}

    static Marked of(Text text) {
        List<Span> spans = new ArrayList<>();
        text.forEachRun((begin, end, mark) ->
                spans.add(new Span(begin, end, Text.source(mark), Text.turn(mark), (mark & Text.GENERATION) != 0)));
        return new Marked(text.toString(), List.copyOf(spans));
    }
}
