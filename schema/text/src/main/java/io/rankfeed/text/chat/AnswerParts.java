package io.rankfeed.text.chat;

import io.rankfeed.schema.text.AnswerPart;
import io.rankfeed.text.chat.jinja.Marked;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Divides answers into their parts: by what each character came from, and what the template wrote itself by its tags. */
final class AnswerParts {
    /** Possessive, so that a text without ends of tags takes no longer than its length. */
    private static final Pattern TAG = Pattern.compile("<(?!\\s)[^<>]++>|\\[/?[A-Z_]++\\]");

    private static final Pattern THINKING = Pattern.compile("(?<![a-z])think(ing)?(?![a-z])");
    private static final Pattern CLOSING = Pattern.compile("</.*|\\[/.*|<\\|end.*", Pattern.DOTALL);

    private final Marked whole;
    private final Set<AnswerPart> parts;
    private final List<Rendered.Span> chosen = new ArrayList<>();

    private AnswerParts(Marked whole, Set<AnswerPart> parts) {
        this.whole = whole;
        this.parts = parts;
    }

    /** The characters of these parts, ascending. */
    static List<Rendered.Span> of(Marked whole, List<Rendered.Span> answers, Set<AnswerPart> parts) {
        AnswerParts made = new AnswerParts(whole, parts);
        answers.forEach(made::divide);
        return made.chosen;
    }

    /** Spans of {@code generation} may have several turns. */
    private void divide(Rendered.Span answer) {
        int begin = answer.begin();
        int turn = -1;
        for (int i = spanAt(answer.begin()); i < whole.spans().size(); i++) {
            Marked.Span span = whole.spans().get(i);
            if (span.begin() >= answer.end()) {
                break;
            } else if (span.end() > begin) {
                if (turn >= 0 && span.turn() != turn) {
                    divideTurn(new Rendered.Span(begin, span.begin()));
                    begin = span.begin();
                }
                turn = span.turn();
            }
        }
        divideTurn(new Rendered.Span(begin, answer.end()));
    }

    private void divideTurn(Rendered.Span answer) {
        int at = thinkingEnd(answer);
        AnswerPart last = null;
        int calls = callsBefore(at, answer.begin());
        add(answer.begin(), calls, AnswerPart.TOOL_CALLS);
        add(calls, at, AnswerPart.THINKING);
        for (int i = spanAt(at); i < whole.spans().size(); i++) {
            Marked.Span span = whole.spans().get(i);
            AnswerPart part = Message.part(span.source());
            int begin = Math.max(at, span.begin());
            int end = Math.min(answer.end(), span.end());
            if (span.begin() >= answer.end()) {
                break;
            } else if (part != null && begin < end) {
                int border = last == null || last == part ? at : closed(at, begin, last);
                add(at, border, last == null ? part : last);
                add(border, end, part);
                at = end;
                last = part;
            }
        }
        int border = closing(at, answer.end(), last);
        add(at, border, last == null ? AnswerPart.END : last);
        add(border, answer.end(), AnswerPart.END);
    }

    /** Returns the end of tool calls that are before the reasoning; the start of the answer if there are none. */
    private int callsBefore(int thinkingEnd, int answerBegin) {
        int end = answerBegin;
        int next = thinkingEnd;
        for (int i = spanAt(answerBegin);
                i < whole.spans().size() && whole.spans().get(i).begin() < thinkingEnd;
                i++) {
            AnswerPart part = Message.part(whole.spans().get(i).source());
            if (part == AnswerPart.TOOL_CALLS) {
                end = Math.min(thinkingEnd, whole.spans().get(i).end());
                next = thinkingEnd;
            } else if (part == AnswerPart.CONTENT) {
                next = Math.min(next, Math.max(end, whole.spans().get(i).begin()));
            } else if (part == AnswerPart.THINKING) {
                return end == answerBegin ? answerBegin : closed(end, next, AnswerPart.TOOL_CALLS);
            }
        }
        return end == answerBegin ? end : closed(end, next, AnswerPart.TOOL_CALLS);
    }

    /** Returns the index after the tag that closes the reasoning: a tag of the template, or of content that starts with reasoning. */
    private int thinkingEnd(Rendered.Span answer) {
        int end = answer.begin();
        int contentBegin = -1;
        boolean isOpened = false;
        Matcher tag = TAG.matcher(whole.text()).region(answer.begin(), answer.end());
        while (tag.find()) {
            AnswerPart part = partAt(tag.start());
            String name = tag.group().toLowerCase(Locale.ROOT);
            if (part == AnswerPart.CONTENT && contentBegin < 0) {
                contentBegin = contentBegin(Math.max(end, answer.begin()), tag.start());
            }
            if (!THINKING.matcher(name).find() || name.chars().anyMatch(Character::isWhitespace) || !isOfOnePart(tag)) {
                continue;
            }
            boolean isClosing = CLOSING.matcher(name).matches();
            if (isClosing && (part == null ? end == answer.begin() : part == AnswerPart.CONTENT && isOpened)) {
                end = after(tag);
                isOpened = false;
            } else if (!isClosing && part == AnswerPart.CONTENT) {
                isOpened |= whole.text().substring(contentBegin, tag.start()).isBlank();
            }
        }
        return end;
    }

    /** The first character of the content from an index on, up to one that belongs to it. */
    private int contentBegin(int from, int to) {
        int begin = to;
        for (int i = spanAt(from);
                i < whole.spans().size() && whole.spans().get(i).begin() <= to;
                i++) {
            Marked.Span span = whole.spans().get(i);
            if (Message.part(span.source()) == AnswerPart.CONTENT && span.end() > from) {
                begin = Math.min(begin, Math.max(from, span.begin()));
            }
        }
        return begin;
    }

    /** Returns the border between the template's text that closes a part and its text that opens the next part. */
    private int closed(int begin, int end, AnswerPart last) {
        if (last == AnswerPart.CONTENT) {
            return begin;
        } else if (last == AnswerPart.TOOL_CALLS) {
            int calls = calls(begin, end);
            return calls >= 0
                    ? calls
                    : TAG.matcher(whole.text()).region(begin, end).find() ? begin : end;
        }
        Matcher tag = TAG.matcher(whole.text()).region(begin, end);
        boolean isClosing = tag.find()
                && (CLOSING.matcher(tag.group().toLowerCase(Locale.ROOT)).matches()
                        || tag.group().endsWith("|>"));
        return isClosing ? after(tag) : begin;
    }

    /** Returns the start of the answer's end: after the content, or after the tag that closes the calls, or else at the last tag. */
    private int closing(int begin, int end, @Nullable AnswerPart last) {
        if (last == null || last == AnswerPart.CONTENT) {
            return begin;
        }
        int calls = last == AnswerPart.TOOL_CALLS ? calls(begin, end) : -1;
        int border = end;
        Matcher tag = TAG.matcher(whole.text()).region(begin, end);
        while (calls < 0 && tag.find()) {
            border = tag.start();
        }
        return calls < 0 ? border : calls;
    }

    /** Returns the index after the last tag of tool calls; -1 if there is none. */
    private int calls(int begin, int end) {
        int last = -1;
        Matcher tag = TAG.matcher(whole.text()).region(begin, end);
        while (tag.find()) {
            String name = tag.group().toLowerCase(Locale.ROOT);
            last = name.contains("tool") || name.contains("calls") ? Math.min(end, after(tag)) : last;
        }
        return last;
    }

    /** Returns the index after a tag and the line ends that follow it from the same source, within the matcher's region. */
    private int after(Matcher tag) {
        int end = tag.end();
        while (end < tag.regionEnd() && whole.text().charAt(end) == '\n' && partAt(end) == partAt(tag.start())) {
            end++;
        }
        return end;
    }

    private boolean isOfOnePart(Matcher tag) {
        AnswerPart part = partAt(tag.start());
        for (int i = tag.start() + 1; i < tag.end(); i++) {
            if (partAt(i) != part) {
                return false;
            }
        }
        return true;
    }

    /** Returns the part to which a character belongs; null for text of the template. */
    private @Nullable AnswerPart partAt(int index) {
        int at = spanAt(index);
        boolean isFound = at < whole.spans().size() && whole.spans().get(at).begin() <= index;
        return isFound ? Message.part(whole.spans().get(at).source()) : null;
    }

    /** The number of the first span that ends after an index. */
    private int spanAt(int index) {
        int low = 0;
        int high = whole.spans().size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (whole.spans().get(middle).end() > index) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private void add(int begin, int end, AnswerPart part) {
        if (begin < end && parts.contains(part)) {
            int last = chosen.size() - 1;
            boolean isAdjacent = last >= 0 && chosen.get(last).end() == begin;
            chosen.add(new Rendered.Span(isAdjacent ? chosen.remove(last).begin() : begin, end));
        }
    }
}
