package io.rankfeed.text.chat;

import io.rankfeed.text.chat.jinja.value.PythonStr;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code continue_final_message} as in transformers 5.23: the text ends with the last message. transformers finds its end by a tag that
 * it appends; this class does the same.
 */
final class Continuation {
    static final String ARGUMENT = "continue_final_message";

    private static final String TAG = "CONTINUE_FINAL_MESSAGE_TAG ";

    private final String content;

    private Continuation(String content) {
        this.content = content;
    }

    /**
     * Appends the tag to the last message.
     *
     * @param argument true, or the name of the member to continue; null or false for none
     * @param messages whose last one is replaced
     * @param source of the template
     * @param isPrompted whether another answer is asked for
     * @throws ChatException if the message has no such text
     */
    static Optional<Continuation> of(
            @Nullable Object argument, List<Map<String, Object>> messages, String source, boolean isPrompted)
            throws ChatException {
        if (!Rendering.isTrue(argument)) {
            return Optional.empty();
        } else if (isPrompted) {
            throw new ChatException(ARGUMENT + " and " + Rendering.PROMPT + " cannot be combined; remove one of them");
        }
        String member = argument instanceof String name ? name : "content";
        Map<String, Object> last = new LinkedHashMap<>(messages.get(messages.size() - 1));
        Object value = last.get(member);
        List<String> members = Message.sameReasoning(last, member);
        if (members.stream().noneMatch(source::contains)) {
            throw new ChatException(ARGUMENT + ": the chat template does not use '" + member + "'");
        }
        String content = value instanceof List<?> parts ? lastText(parts) : value instanceof String text ? text : null;
        if (content == null) {
            throw new ChatException(ARGUMENT + ": the last message has no text '" + member + "' to continue");
        }
        members.forEach(name -> last.put(name, tagged(last.get(name))));
        messages.set(messages.size() - 1, last);
        return Optional.of(new Continuation(content));
    }

    private static @Nullable String lastText(List<?> parts) {
        int at = lastTextIndex(parts);
        return at >= 0 && ((Map<?, ?>) parts.get(at)).get("text") instanceof String text ? text : null;
    }

    private static int lastTextIndex(List<?> parts) {
        int at = parts.size() - 1;
        while (at >= 0 && !(parts.get(at) instanceof Map<?, ?> part && part.containsKey("text"))) {
            at--;
        }
        return at;
    }

    private static Object tagged(@Nullable Object value) {
        if (!(value instanceof List<?> parts)) {
            return value + TAG;
        }
        List<Object> tagged = new ArrayList<>(parts);
        int at = lastTextIndex(parts);
        Map<Object, Object> part = new LinkedHashMap<>((Map<?, ?>) parts.get(at));
        part.put("text", part.get("text") + TAG);
        tagged.set(at, part);
        return tagged;
    }

    /** @throws ChatException if the template does not write the message */
    Rendered truncated(Rendered rendered) throws ChatException {
        String text = rendered.text();
        int at = text.lastIndexOf(TAG.strip());
        if (at < 0 || !text.contains(PythonStr.strip(content))) {
            throw new ChatException(ARGUMENT + ": the chat template does not write the last message as it is");
        }
        String kept = text.substring(0, at);
        if (!text.startsWith(TAG, at)) {
            kept = PythonStr.stripEnd(kept);
        }
        int end = kept.length();
        return new Rendered(
                kept,
                rendered.spans().stream()
                        .filter(span -> span.begin() < end)
                        .map(span -> new Rendered.Span(span.begin(), Math.min(span.end(), end)))
                        .toList());
    }
}
