package io.rankfeed.text.chat;

import io.rankfeed.text.chat.jinja.Marked;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds what the assistant says in a rendered conversation: of the iteration over a message of the assistant, what
 * follows the header of the turn, which is the prompt for an answer.
 */
final class Answers {
    /** The start of a tag that opens reasoning in a prompt; the model is trained on the reasoning. */
    private static final String THINKING = "<think";

    private final String text;
    private final List<Turn> turns;
    /** Messages of which a text is outside of their own turns. */
    private final Set<Integer> outside = new HashSet<>();

    /** The text that the iteration over a message wrote, without the text that other iterations wrote in between. */
    private static final class Turn {
        private final int message;
        private final int begin;
        private int end;
        /** The first character of the message itself; less than 0 where there is none. */
        private int contentBegin = -1;
        /** Whether the message begins with its content, and not with reasoning or tool calls. */
        private boolean beginsWithContent;
        /** The index of another message that the turn contains; negative if there is none. */
        private int other = -1;

        Turn(int message, int begin) {
            this.message = message;
            this.begin = begin;
        }

        void add(Marked.Span span) {
            end = span.end();
            int number = Message.number(span.source());
            if (number >= 0 && number != message) {
                other = number;
            } else if (number == message && contentBegin < 0) {
                contentBegin = span.begin();
                beginsWithContent = Message.isContent(span.source());
            }
        }
    }

    Answers(Marked whole) {
        text = whole.text();
        turns = turns(whole);
        for (Marked.Span span : whole.spans()) {
            if (span.source() != 0 && Message.number(span.source()) != span.turn() - 1) {
                outside.add(Message.number(span.source()));
            }
        }
    }

    private static List<Turn> turns(Marked whole) {
        List<Turn> turns = new ArrayList<>();
        for (Marked.Span span : whole.spans()) {
            Turn last = turns.isEmpty() ? null : turns.get(turns.size() - 1);
            if (span.turn() == 0) {
                continue;
            }
            if (last == null || last.message != span.turn() - 1 || last.end != span.begin()) {
                last = new Turn(span.turn() - 1, span.begin());
                turns.add(last);
            }
            last.add(span);
        }
        return turns;
    }

    /** Whether the template writes the message, or a part of it, elsewhere than in its turn. */
    boolean isOutside(int message) {
        return outside.contains(message);
    }

    boolean hasTurn(int message) {
        return turns.stream().anyMatch(turn -> turn.message == message);
    }

    static ChatException refusal(int message, int other) {
        return new ChatException("message " + message + ": the template writes message " + other
                + " into its turn, so that" + " the answer cannot be found; add {% generation %} tags to the template");
    }

    /** Whether the template loops over the messages, so that their turns are known. */
    boolean areKnown() {
        return !turns.isEmpty();
    }

    private int end() {
        return turns.isEmpty() ? 0 : turns.get(turns.size() - 1).end;
    }

    /**
     * The header of an answer: what a template adds to the same conversation where it is asked for a prompt.
     *
     * @return empty if it adds nothing or changes what is before
     */
    String header(String prompted) {
        if (!prompted.startsWith(text.substring(0, end()))) {
            return "";
        }
        String added = prompted.substring(end());
        int thinking = added.indexOf(THINKING);
        return thinking < 0 ? added : added.substring(0, thinking);
    }

    /**
     * Returns the spans of the text of message n, with the end of its turn.
     *
     * @param header as {@link #header} finds it
     * @throws ChatException if its turn has what somebody else says
     */
    List<Rendered.Span> of(int message, String header) throws ChatException {
        List<Rendered.Span> spans = new ArrayList<>();
        for (Turn turn : turns) {
            if (turn.message == message && begin(turn, header) < turn.end) {
                if (turn.other >= 0) {
                    throw refusal(message, turn.other);
                }
                spans.add(new Rendered.Span(begin(turn, header), turn.end));
            }
        }
        return spans;
    }

    /**
     * Returns the index after the header. Without a header, it is the start of the content, because the text before it may be another form
     * of header; if the message begins with something else, it is the start of the turn, because tool calls have a tag of their own.
     */
    private int begin(Turn turn, String header) {
        int limit = turn.contentBegin < 0 ? turn.end : turn.contentBegin;
        // The prompt may go on with what this answer does not have, such as a tag of its thoughts.
        for (int end = header.length(); end > 0; end = endOfLineOrTag(header, end - 1)) {
            String begin = header.substring(0, end);
            int at = begin.isBlank() ? -1 : text.lastIndexOf(begin, limit - begin.length());
            if (at >= turn.begin) {
                return at + begin.length();
            }
        }
        boolean isHeaded = turn.contentBegin < 0 || turn.beginsWithContent;
        return isHeaded && !text.substring(turn.begin, limit).isBlank() ? limit : turn.begin;
    }

    /** The last end of a line, or of a tag that another one follows, at or before a limit; 0 if there is none. */
    private static int endOfLineOrTag(String header, int limit) {
        int end = limit;
        while (end > 0 && header.charAt(end - 1) != '\n' && !header.startsWith("><", end - 1)) {
            end--;
        }
        return end;
    }

    /** The end of the text where the template ends it only if no answer is asked for, such as with an end-of-text token. */
    int closed(String prompted) {
        return prompted.startsWith(text) || end() == 0 ? end() : text.length();
    }
}
