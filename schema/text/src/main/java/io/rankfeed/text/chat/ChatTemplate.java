package io.rankfeed.text.chat;

import io.rankfeed.text.chat.jinja.Marked;
import io.rankfeed.text.chat.jinja.Template;
import io.rankfeed.text.chat.jinja.Variables;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A model's chat template, as transformers applies it. Any number of threads may use it at once. */
public final class ChatTemplate {
    private static final String DATE = "strftime_now";

    private final String source;
    private final Template template;
    private final Map<String, String> special;
    private final ChatOptions options;

    /**
     * @param source as in {@code chat_template}
     * @param special tokens by their names in templates, such as {@code bos_token}
     * @throws ChatException if it is not a template, has what the engine does not, or asks for a date and there is none
     */
    public ChatTemplate(String source, Map<String, String> special, ChatOptions options) throws ChatException {
        this.source = source;
        this.special = Map.copyOf(special);
        this.options = options;
        try {
            template = Template.parse(source);
        } catch (TemplateError e) {
            throw new ChatException("the chat template cannot be read: " + e.getMessage());
        }
        if (options.date() == null && template.reads().contains(DATE)) {
            throw new ChatException(
                    "the chat template asks for the date (strftime_now); state one, such as date: 2026-07-01,"
                            + " next to chat:, so that every run gives the same tokens");
        }
    }

    /**
     * Renders a conversation.
     *
     * @param messages mappings with {@code role}, {@code content} and what the template knows
     * @param arguments other variables of the template, such as {@code tools} and {@code enable_thinking}
     * @throws ChatException if the template refuses the messages, cannot be evaluated, or shows nowhere what the assistant says
     */
    public Rendered render(List<Map<String, Object>> messages, Map<String, @Nullable Object> arguments)
            throws ChatException {
        if (messages.isEmpty()) {
            throw new ChatException("the conversation has no messages");
        }
        List<Map<String, Object>> prepared = new ArrayList<>();
        messages.forEach(message -> prepared.add(Message.prepared(message)));
        Map<String, @Nullable Object> others = new HashMap<>(arguments);
        Optional<Continuation> continuation =
                Continuation.of(others.remove(Continuation.ARGUMENT), prepared, source, Rendering.isPrompt(arguments));
        Rendered rendered = new Rendering(this, prepared, others).run();
        return continuation.isEmpty() ? rendered : continuation.get().truncated(rendered);
    }

    ChatOptions options() {
        return options;
    }

    boolean hasGeneration() {
        return template.hasGeneration();
    }

    /** @param prompt whether an answer is asked for, as templates get it */
    Marked marked(List<Map<String, Object>> messages, Map<String, @Nullable Object> arguments, @Nullable Object prompt)
            throws ChatException {
        Variables variables = new Variables();
        special.forEach(variables::set);
        variables.set("tools", null).set("documents", null);
        arguments.forEach(variables::set);
        variables.setMessages(messages, Message::source).set(Rendering.PROMPT, prompt);
        if (options.date() != null) {
            variables.setDate(options.date());
        }
        try {
            return template.render(variables);
        } catch (TemplateError e) {
            throw new ChatException((e.isRefusal()
                            ? "the chat template rejects the conversation: "
                            : "the chat template cannot be rendered: ")
                    + e.getMessage());
        }
    }
}
