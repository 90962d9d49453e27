package io.rankfeed.text.chat;

import io.rankfeed.schema.text.AnswerPart;
import io.rankfeed.text.chat.jinja.Variables;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message after the changes that transformers 5.23 makes before it renders a template. */
final class Message {
    /** Names of what the model thought; templates know one or the other. */
    private static final List<String> REASONING = List.of("reasoning_content", "thinking", "reasoning");
    /** A name that only templates know. */
    private static final String THOUGHT = "thought";

    private static final List<String> CALLS = List.of("tool_calls", "function_calls");

    private static final int KINDS = 4;

    /** Maximum of messages with a source of their own. */
    static final int MAX_COUNT = Variables.MAX_SOURCE / KINDS - 1;

    private Message() {}

    /** The source of the texts in a member of message n, for {@link io.rankfeed.text.chat.jinja.Marked}; 0 for what nobody says. */
    static int source(String member, int message) {
        int kind = 0;
        if (member.equals("content")) {
            kind = 1;
        } else if (REASONING.contains(member) || member.equals(THOUGHT)) {
            kind = 2;
        } else if (CALLS.contains(member)) {
            kind = 3;
        }
        int source = KINDS * message + kind;
        return kind == 0 || source >= Variables.MAX_SOURCE ? 0 : source;
    }

    static boolean isContent(int source) {
        return source % KINDS == 1;
    }

    /** The part of an answer that a source is; null for text of the template. */
    static @Nullable AnswerPart part(int source) {
        return switch (source % KINDS) {
            case 1 -> AnswerPart.CONTENT;
            case 2 -> AnswerPart.THINKING;
            case 3 -> AnswerPart.TOOL_CALLS;
            default -> null;
        };
    }

    /** The members with the text of this one: those of the reasoning are copies. */
    static List<String> sameReasoning(Map<String, Object> message, String member) {
        return REASONING.contains(member)
                ? REASONING.stream()
                        .filter(name -> Objects.equals(message.get(name), message.get(member)))
                        .toList()
                : List.of(member);
    }

    /** The message that a source is of; -1 for none. */
    static int number(int source) {
        return source == 0 ? -1 : source / KINDS;
    }

    /** Removes null members, and adds the reasoning under the names that templates read. */
    static Map<String, Object> prepared(Map<String, Object> message) {
        Map<String, Object> prepared = new LinkedHashMap<>();
        message.forEach((name, value) -> {
            if (value != null) {
                prepared.put(name, value);
            }
        });
        REASONING.stream()
                .filter(prepared::containsKey)
                .findFirst()
                .map(prepared::get)
                .ifPresent(reasoning -> {
                    Map<String, Object> rest = new LinkedHashMap<>(prepared);
                    prepared.clear();
                    prepared.put("thinking", reasoning);
                    prepared.putAll(rest);
                    prepared.put("reasoning_content", reasoning);
                });
        return prepared;
    }
}
