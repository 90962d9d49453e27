package io.rankfeed.spark.chat;

import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.LegacyOverrides;
import com.hubspot.jinjava.interpret.RenderResult;
import com.hubspot.jinjava.interpret.TemplateError;
import com.hubspot.jinjava.lib.fn.ELFunctionDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A model's chat template at work. Any number of threads may use it at once.
 *
 * <p>A template that asks for the date is refused: it gives another text every day. So is whatever the engine cannot evaluate.
 */
public final class ChatTemplate {
    private static final int MAX_OUTPUT_CHARS = 16 << 20;
    private static final int MAX_DEPTH = 64;
    private static final int MAX_RANGE = 10_000;
    private static final int MAX_ITEMS = 100_000;
    private static final long DEADLINE_SECONDS = 10;
    private static final Pattern DATE = Pattern.compile("\\bstrftime_now\\b");
    private static final Pattern GENERATION = Pattern.compile("\\{%-?\\s*generation\\s*-?%\\}");

    private final Jinjava engine;
    private final String source;
    private final Map<String, Object> constants = new HashMap<>();
    private final boolean hasGeneration;

    /**
     * @param source as in {@code chat_template}
     * @param special tokens by their names in templates, such as {@code bos_token}
     * @throws ChatException if it asks for the date, or has what the engine does not
     */
    public ChatTemplate(String source, Map<String, String> special) throws ChatException {
        if (DATE.matcher(source).find()) {
            throw new ChatException(
                    "the chat template asks for the date (strftime_now); replace it in the template by a fixed"
                            + " text, so that every run gives the same tokens");
        }
        this.engine = engine();
        TemplateSource adapted = new TemplateSource(source);
        this.source = adapted.adapted();
        constants.putAll(special);
        constants.put(TemplateExpression.NONE, PythonNone.NONE);
        for (int i = 0; i < adapted.texts().size(); i++) {
            constants.put(TemplateExpression.TEXT + i, adapted.texts().get(i));
        }
        this.hasGeneration = GENERATION.matcher(source).find();
    }

    private static Jinjava engine() {
        Jinjava engine = new Jinjava(JinjavaConfig.newBuilder()
                // What a conversation says is never a template.
                .withNestedInterpretationEnabled(false)
                .withKeepTrailingNewline(true)
                .withElResolver(new TemplateValues())
                .withMaxOutputSize(MAX_OUTPUT_CHARS)
                .withMaxStringLength(MAX_OUTPUT_CHARS)
                .withMaxRenderDepth(MAX_DEPTH)
                .withMaxMacroRecursionDepth(MAX_DEPTH)
                .withEnableRecursiveMacroCalls(true)
                .withRangeLimit(MAX_RANGE)
                .withMaxListSize(MAX_ITEMS)
                .withMaxMapSize(MAX_ITEMS)
                .withLegacyOverrides(LegacyOverrides.newBuilder()
                        .withEvaluateMapKeys(true)
                        .withIterateOverMapKeys(true)
                        .withUseNaturalOperatorPrecedence(true)
                        .withParseWhitespaceControlStrictly(true)
                        .withAllowAdjacentTextNodes(true)
                        .withUseTrimmingForNotesAndExpressions(true)
                        .build())
                .build());
        engine.getGlobalContext().registerTag(new TemplateTags.Generation());
        PythonOperators.all().forEach(engine.getGlobalContext()::registerFilter);
        engine.getGlobalContext()
                .registerFunction(
                        new ELFunctionDefinition("", "namespace", TemplateTags.class, "namespace", Object[].class));
        engine.getGlobalContext()
                .registerFunction(
                        new ELFunctionDefinition("", "raise_exception", TemplateTags.class, "refuse", Object.class));
        return engine;
    }

    /**
     * Renders a conversation.
     *
     * @param messages mappings with {@code role}, {@code content} and what the template knows
     * @param tools the model's tools; null where there are none
     * @throws ChatException if the template refuses the messages, cannot be evaluated, or shows nowhere what the assistant says
     */
    public Rendered render(List<Map<String, Object>> messages, @Nullable List<Object> tools) throws ChatException {
        List<Object> frozen = FrozenValues.list(messages);
        List<Object> frozenTools = tools == null ? null : FrozenValues.list(tools);
        String marked = text(frozen, frozenTools, false);
        return hasGeneration ? tagged(marked) : byPrefix(marked, frozen, frozenTools);
    }

    private static Rendered tagged(String marked) {
        StringBuilder text = new StringBuilder(marked.length());
        List<Rendered.Span> spans = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i < marked.length(); i++) {
            char c = marked.charAt(i);
            if (c == TemplateTags.BEGIN) {
                begin = text.length();
            } else if (c == TemplateTags.END) {
                if (begin < text.length()) {
                    spans.add(new Rendered.Span(begin, text.length()));
                }
            } else {
                text.append(c);
            }
        }
        return new Rendered(text.toString(), spans);
    }

    /** An answer is what a message adds to the messages before it and the prompt for an answer. */
    private Rendered byPrefix(String text, List<Object> messages, @Nullable List<Object> tools) throws ChatException {
        List<Rendered.Span> spans = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i) instanceof Map<?, ?> message && "assistant".equals(message.get("role"))) {
                String before = text(messages.subList(0, i), tools, true);
                String through = i + 1 == messages.size() ? text : text(messages.subList(0, i + 1), tools, false);
                if (!through.startsWith(before) || !text.startsWith(through)) {
                    throw new ChatException("message " + i + ": the template has no generation tags and changes earlier"
                            + " text when messages are added, so that answers cannot be found; add {% generation %} tags"
                            + " to the template");
                }
                if (before.length() < through.length()) {
                    spans.add(new Rendered.Span(before.length(), through.length()));
                }
            }
        }
        return new Rendered(text, spans);
    }

    private String text(List<Object> messages, @Nullable List<Object> tools, boolean isPrompt) throws ChatException {
        Map<String, Object> values = new HashMap<>(constants);
        values.put("messages", messages);
        values.put("tools", tools == null ? PythonNone.NONE : tools);
        values.put("documents", PythonNone.NONE);
        values.put("add_generation_prompt", isPrompt);
        TemplateTags.DEADLINE.set(System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS));
        try {
            RenderResult result = engine.renderForResult(source, values);
            if (!result.getErrors().isEmpty()) {
                throw new ChatException(reason(result.getErrors().get(0)));
            }
            return result.getOutput();
        } catch (RuntimeException e) {
            throw new ChatException(firstLine(e.getMessage()));
        } catch (StackOverflowError e) {
            throw new ChatException(firstLine("it is nested too deep"));
        } finally {
            TemplateTags.DEADLINE.remove();
        }
    }

    /** What the template itself says, where it refuses the conversation. */
    private static String reason(TemplateError error) {
        for (Throwable at = error.getException(); at != null; at = at.getCause()) {
            String message = String.valueOf(at.getMessage());
            if (message.startsWith(TemplateTags.REFUSAL)) {
                return message;
            }
        }
        return firstLine(error.getMessage());
    }

    private static String firstLine(@Nullable String message) {
        return "the chat template cannot be rendered: "
                + String.valueOf(message).lines().findFirst().orElse("");
    }
}
