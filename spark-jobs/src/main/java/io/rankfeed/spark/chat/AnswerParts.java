package io.rankfeed.spark.chat;

import io.rankfeed.spark.chat.jinja.Marked;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Divides answers into their parts: by what each character came from, and what the template wrote itself by its tags. */
final class AnswerParts {
    private static final Pattern OPENING_THINKING =
            Pattern.compile("\\s*(<\\|?[^<>/]*think[^<>]*>|\\[think\\])", Pattern.CASE_INSENSITIVE);
    private static final Pattern CLOSING_THINKING =
            Pattern.compile("(</[^<>]*think[^<>]*>|<\\|end_thinking\\|>|\\[/think\\])\\n*", Pattern.CASE_INSENSITIVE);
    private static final Pattern CLOSING_CALLS =
            Pattern.compile("(<(?!\\s)[^<>]*(tool|calls)[^<>]*>|\\[/tool_calls\\])\\n*", Pattern.CASE_INSENSITIVE);
    private static final Pattern TAG = Pattern.compile("(<(?!\\s)[^<>]+>|\\[/?[A-Z_]+\\])\\n*");

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

    private void divide(Rendered.Span answer) {
        int at = thinkingEnd(answer);
        AnswerPart last = null;
        if (at > answer.begin()) {
            add(answer.begin(), at, AnswerPart.THINKING);
        }
        for (Marked.Span span : whole.spans()) {
            AnswerPart part = Message.part(span.source());
            int begin = Math.max(at, span.begin());
            int end = Math.min(answer.end(), span.end());
            if (part != null && begin < end) {
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

    /** After the tag that closes the reasoning, where the template wrote it or the content begins with reasoning. */
    private int thinkingEnd(Rendered.Span answer) {
        Matcher opening = OPENING_THINKING.matcher(whole.text()).region(answer.begin(), answer.end());
        Matcher closing = CLOSING_THINKING.matcher(whole.text()).region(answer.begin(), answer.end());
        boolean isOpened = opening.lookingAt();
        while (closing.find()) {
            if (isOpened || isOfTemplate(closing.start())) {
                return closing.end();
            }
        }
        return answer.begin();
    }

    private boolean isOfTemplate(int index) {
        return whole.spans().stream()
                .noneMatch(span -> span.source() != 0 && span.begin() <= index && index < span.end());
    }

    /** Where what the template wrote to close a part ends, and what opens the next one begins. */
    private int closed(int begin, int end, AnswerPart last) {
        if (last == AnswerPart.CONTENT) {
            return begin;
        } else if (last == AnswerPart.TOOL_CALLS) {
            return Math.max(lastTag(CLOSING_CALLS, begin, end).end(), begin);
        }
        Matcher tag = TAG.matcher(whole.text()).region(begin, end);
        return tag.find() ? tag.end() : begin;
    }

    /** Where the end of the answer begins: after the content, or after the tag that closes the calls, or else at the last tag. */
    private int closing(int begin, int end, @Nullable AnswerPart last) {
        if (last == null || last == AnswerPart.CONTENT) {
            return begin;
        }
        int calls = last == AnswerPart.TOOL_CALLS
                ? lastTag(CLOSING_CALLS, begin, end).end()
                : -1;
        return calls >= 0 ? calls : lastTag(TAG, begin, end).begin();
    }

    /** The last one in a range; where there is none, it begins at the end of the range and ends at -1. */
    private Rendered.Span lastTag(Pattern pattern, int begin, int end) {
        Matcher tag = pattern.matcher(whole.text()).region(begin, end);
        Rendered.Span last = new Rendered.Span(end, -1);
        while (tag.find()) {
            last = new Rendered.Span(tag.start(), tag.end());
        }
        return last;
    }

    private void add(int begin, int end, AnswerPart part) {
        if (begin < end && parts.contains(part)) {
            int last = chosen.size() - 1;
            boolean goesOn = last >= 0 && chosen.get(last).end() == begin;
            chosen.add(new Rendered.Span(goesOn ? chosen.remove(last).begin() : begin, end));
        }
    }
}
