package io.rankfeed.text.chat;

import io.rankfeed.schema.json.JsonTree;
import io.rankfeed.text.chat.jinja.Marked;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A conversation that is rendered, with other ends too where that shows what the assistant says. */
record Rendering(ChatTemplate template, List<Map<String, Object>> messages, Map<String, @Nullable Object> arguments) {
    static final String PROMPT = "add_generation_prompt";

    Rendered run() throws ChatException {
        Marked whole = marked(messages.size(), arguments.getOrDefault(PROMPT, false));
        return new Rendered(whole.text(), template.options().chosen(whole, spans(whole)));
    }

    private List<Rendered.Span> spans(Marked whole) throws ChatException {
        if (JsonTree.hasHalfPair(whole.text())) {
            throw new ChatException(
                    "the text has half of a surrogate pair (\\ud800 to \\udfff), which is not a character");
        }
        boolean isTagged = template.hasGeneration();
        if (messages.size() > Message.MAX_COUNT
                && !(isTagged && template.options().areWhole())) {
            throw new ChatException(
                    "the conversation has " + messages.size() + " messages; at most " + Message.MAX_COUNT
                            + " are supported without {% generation %} tags in the template, or with train-on");
        }
        if (isTagged) {
            return tagged(whole);
        }
        Answers answers = new Answers(whole);
        for (int i = 0; i < messages.size(); i++) {
            if (isAnswer(i) && answers.isOutside(i)) {
                return byPrefix(whole.text());
            }
        }
        return answers.areKnown() ? byTurns(whole.text(), answers) : byPrefix(whole.text());
    }

    static List<Rendered.Span> tagged(Marked whole) {
        List<Rendered.Span> spans = new ArrayList<>();
        for (Marked.Span span : whole.spans()) {
            if (span.isGeneration()) {
                int last = spans.size() - 1;
                boolean isAdjacent = last >= 0 && spans.get(last).end() == span.begin();
                int begin = isAdjacent ? spans.remove(last).begin() : span.begin();
                spans.add(new Rendered.Span(begin, span.end()));
            }
        }
        return spans;
    }

    /** Whether an answer is asked for. */
    static boolean isPrompt(Map<String, @Nullable Object> arguments) {
        return isTrue(arguments.get(PROMPT));
    }

    /** Whether Python takes a value of JSON for true. */
    static boolean isTrue(@Nullable Object value) {
        if (value instanceof Number number) {
            return number.doubleValue() != 0;
        }
        return value != null
                && !value.equals(false)
                && !value.equals("")
                && !value.equals(List.of())
                && !value.equals(Map.of());
    }

    private boolean isAnswer(int message) {
        return "assistant".equals(messages.get(message).get("role"));
    }

    /** An answer is what the iteration over its message writes after the header of the turn. */
    private List<Rendered.Span> byTurns(String text, Answers answers) throws ChatException {
        int last = messages.size() - 1;
        while (last >= 0 && !isAnswer(last)) {
            last--;
        }
        if (last < 0) {
            return List.of();
        }
        String prompted = prompted(messages.size(), text);
        String header = answers.header(prompted);
        if (header.isEmpty() && last > 0) {
            header = headerAfter(last);
        }
        requireSeparate(answers);
        List<Rendered.Span> spans = new ArrayList<>();
        for (int i = 0; i <= last; i++) {
            List<Rendered.Span> own = isAnswer(i) ? answers.of(i, header) : List.of();
            spans.addAll(own);
            if (i == messages.size() - 1 && !own.isEmpty()) {
                Rendered.Span end = spans.remove(spans.size() - 1);
                spans.add(new Rendered.Span(end.begin(), Math.max(end.end(), answers.closed(prompted))));
            }
        }
        return spans;
    }

    /**
     * Refuses a message without a text that is written into another turn; only a template that is rendered with another
     * text shows that.
     */
    private void requireSeparate(Answers answers) throws ChatException {
        List<Map<String, Object>> filled = new ArrayList<>(messages);
        for (int i = 0; i < filled.size(); i++) {
            boolean isEmpty = "".equals(filled.get(i).getOrDefault("content", ""));
            if (isEmpty && !isAnswer(i) && !answers.hasTurn(i)) {
                filled.set(i, new LinkedHashMap<>(filled.get(i)));
                filled.get(i).put("content", "?");
            }
        }
        if (!filled.equals(messages)) {
            Answers ofFilled = new Answers(new Rendering(template, filled, arguments).marked(filled.size(), false));
            for (int i = 0; i < filled.size(); i++) {
                if (isAnswer(i)) {
                    ofFilled.of(i, "");
                }
            }
        }
    }

    /** The end of a conversation may change where an answer is asked for; that of a question does not. */
    private String headerAfter(int count) {
        try {
            Marked question = marked(count, false);
            return new Answers(question).header(prompted(count, question.text()));
        } catch (ChatException e) {
            return "";
        }
    }

    /** The text with the prompt for another answer; the text itself if the template refuses to write one. */
    private String prompted(int count, String text) {
        try {
            return marked(count, true).text();
        } catch (ChatException e) {
            return text;
        }
    }

    /** An answer is what a message adds to the messages before it and the prompt for an answer. */
    private List<Rendered.Span> byPrefix(String text) throws ChatException {
        List<Rendered.Span> spans = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            if (isAnswer(i)) {
                String before = part(i, i, true, "the prompt for it");
                String through = i + 1 == messages.size() && !isPrompt(arguments)
                        ? text
                        : part(i, i + 1, false, "the conversation up to it");
                if (!through.startsWith(before) || !text.startsWith(through)) {
                    throw new ChatException("message " + i + ": the template has no generation tags and changes earlier"
                            + " text when messages are added, so that answers cannot be found; add {% generation %}"
                            + " tags to the template");
                }
                if (before.length() < through.length()) {
                    spans.add(new Rendered.Span(before.length(), through.length()));
                }
            }
        }
        return spans;
    }

    /** The text of the first messages. The template may refuse them, but not all of the conversation. */
    private String part(int message, int count, boolean prompt, String what) throws ChatException {
        try {
            return marked(count, prompt).text();
        } catch (ChatException e) {
            throw new ChatException("message " + message + ": the template cannot write " + what
                    + ", so that the answer cannot be found (" + e.getMessage()
                    + "); add {% generation %} tags to the template");
        }
    }

    /** @param count of the messages, from the first */
    private Marked marked(int count, @Nullable Object prompt) throws ChatException {
        return template.marked(messages.subList(0, count), arguments, prompt);
    }
}
