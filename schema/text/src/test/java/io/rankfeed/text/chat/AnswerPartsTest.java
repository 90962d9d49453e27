package io.rankfeed.text.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.text.AnswerPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code train-on}: the parts of answers. */
class AnswerPartsTest {
    private static final Path FOLDER = Path.of("src/test/resources/chat");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, ChatTemplate> TEMPLATES = new HashMap<>();
    private static final Map<String, Object> QUESTION = Map.of("role", "user", "content", "question");
    private static final Map<String, Object> RESULT =
            Map.of("role", "tool", "content", "result", "name", "apply", "tool_call_id", "abcdefghi");
    private static final List<Map<String, Object>> CALLS = List.of(Map.of(
            "type",
            "function",
            "id",
            "abcdefghi",
            "function",
            Map.of("name", "apply", "arguments", Map.of("x", "apply"))));
    /** The words of a part occur in no other one. */
    private static final Map<AnswerPart, Map.Entry<String, Object>> WORDS = Map.of(
            AnswerPart.CONTENT, Map.entry("content", "said"),
            AnswerPart.THINKING, Map.entry("reasoning_content", "thought"),
            AnswerPart.TOOL_CALLS, Map.entry("tool_calls", CALLS));

    private static final Map<AnswerPart, String> WORD =
            Map.of(AnswerPart.CONTENT, "said", AnswerPart.THINKING, "thought", AnswerPart.TOOL_CALLS, "apply");

    /** In them, + is the end of a line. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '!', textBlock = """
            qwen3 ! `said` ! `<think>+thought+</think>++` ! `+<tool_call>+{"name": "apply", "arguments": {"x": "apply"}}+</tool_call>` ! `<|im_end|>+`
            nemotron_3_nano ! `said` ! `<think>+thought+</think>+` ! `+<tool_call>+<function=apply>+<parameter=x>+apply+</parameter>+</function>+</tool_call>+` ! `<|im_end|>+`
            glm4moe ! `said` ! `+<think>thought</think>+` ! `+<tool_call>apply+<arg_key>x</arg_key>+<arg_value>apply</arg_value>+</tool_call>` ! ``
            gemma4_v2 ! `said` ! `` ! `<|tool_call>call:apply{x:<|"|>apply<|"|>}<tool_call|>` ! `<turn|>+`
            llama3_1 ! `` ! `` ! `{"name": "apply", "parameters": {"x": "apply"}}` ! `<|eot_id|>`
            """)
    void anAnswerOfAllParts(String template, String content, String thinking, String calls, String end)
            throws IOException, ChatException {
        List<Map<String, Object>> messages = List.of(QUESTION, answer(WORDS.keySet()));

        assertThat(part(template, messages, AnswerPart.CONTENT)).isEqualTo(content);
        assertThat(part(template, messages, AnswerPart.THINKING)).isEqualTo(thinking);
        assertThat(part(template, messages, AnswerPart.TOOL_CALLS)).isEqualTo(calls);
        assertThat(part(template, messages, AnswerPart.END)).isEqualTo(end);
    }

    @Test
    void partsThatTheTemplateWritesAsTurns() throws IOException, ChatException {
        List<Map<String, Object>> messages =
                List.of(QUESTION, answer(EnumSet.of(AnswerPart.CONTENT, AnswerPart.THINKING)));

        assertThat(part("gptoss", messages, AnswerPart.THINKING))
                .isEqualTo("<|channel|>analysis<|message|>thought<|end|>");
        assertThat(part("gptoss", messages, AnswerPart.CONTENT))
                .isEqualTo("<|start|>assistant<|channel|>final<|message|>said");
        assertThat(part("gptoss", messages, AnswerPart.END)).isEqualTo("<|return|>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"smolvlm", "idefics3", "qwen2_5_vl", "qwen3_vl", "gemma3", "llava_next"})
    void theContentMayBeAListOfParts(String template) throws IOException, ChatException {
        List<Map<String, Object>> messages = List.of(
                Map.of(
                        "role",
                        "user",
                        "content",
                        List.of(Map.of("type", "image"), Map.of("type", "text", "text", "question"))),
                Map.of("role", "assistant", "content", List.of(Map.of("type", "text", "text", "said"))));

        assertThat(part(template, messages, AnswerPart.CONTENT).strip()).isEqualTo("said");
    }

    @Test
    void reasoningInTheContentIsReasoning() throws IOException, ChatException {
        List<Map<String, Object>> messages = List.of(
                QUESTION, Map.of("role", "assistant", "content", "<think>\nthought\n</think>\n\nsaid </think> said"));

        assertThat(part("qwen3", messages, AnswerPart.THINKING)).isEqualTo("<think>+thought+</think>++");
        assertThat(part("phi3", messages, AnswerPart.THINKING)).isEqualTo("<think>+thought+</think>++");
        assertThat(part("phi3", messages, AnswerPart.CONTENT)).isEqualTo("said </think> said");
        assertThat(part(
                        "phi3",
                        List.of(QUESTION, Map.of("role", "assistant", "content", "no </think> here")),
                        AnswerPart.CONTENT))
                .isEqualTo("no </think> here");
    }

    /** Each was divided wrongly once. */
    @Test
    void tagsOfOtherPartsDivideNothing() throws ChatException {
        String tagged =
                "{% for m in messages %}{% generation %}{% if m.thinking %}<think>{{ m.thinking }}</think>{% endif %}"
                        + "{{ m.content }}<eot>{% endgeneration %}{% endfor %}";
        List<Map<String, Object>> row = List.of(
                Map.of("role", "assistant", "content", "one"),
                Map.of("role", "assistant", "content", "two", "thinking", "thought"));
        assertThat(divided(tagged, row)).containsExactly("onetwo", "<think>thought</think>", "", "<eot><eot>");
        String calls = "{% for m in messages %}{{ m.thinking }}{{ m.content }}{% for c in m.tool_calls %}<tool_call>"
                + "{{ c.function.name }}</tool_call>{% endfor %}<eot>{% endfor %}";
        assertThat(divided(calls, List.of(answer(EnumSet.of(AnswerPart.THINKING, AnswerPart.TOOL_CALLS)))))
                .containsExactly("", "thought", "<tool_call>apply</tool_call>", "<eot>");
        String open = "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>"
                + "{{ c.function.arguments.x }}</tool_call>{% endfor %}<eot>{% endfor %}";
        Map<String, Object> function = Map.of("name", "n", "arguments", Map.of("x", "a </think> b"));
        assertThat(divided(
                        open,
                        List.of(Map.of(
                                "role",
                                "assistant",
                                "content",
                                "<think>\nsaid",
                                "tool_calls",
                                List.of(Map.of("type", "function", "function", function))))))
                .containsExactly("<think>\nsaid", "", "<tool_call>a </think> b</tool_call>", "<eot>");
        String headed = "{% for m in messages %}<final>{{ m.content }}<eot>{% endfor %}";
        assertThat(divided(headed, List.of(Map.of("role", "assistant", "content", "<think>thought</think>\n\nsaid")))
                        .get(0))
                .isEqualTo("said");
        assertThat(divided(headed, List.of(Map.of("role", "assistant", "content", "<rethink x> </b we think> said")))
                        .get(1))
                .isEmpty();
        String empty =
                "{% for m in messages %}{% generation %}<think></think>{{ m.content }}<eot>{% endgeneration %}{% endfor %}";
        assertThat(divided(empty, List.of(Map.of("role", "assistant", "content", "\n\nsaid"))))
                .containsExactly("\n\nsaid", "<think></think>", "", "<eot>");
    }

    @Test
    void callsBeforeTheContentAreCalls() throws ChatException {
        String before = "{% for m in messages %}{% for c in m.tool_calls or [] %}<call>{{ c.function.name }}<call|>"
                + "{% endfor %}{{ m.content }}<eot>{% endfor %}";
        List<Map<String, Object>> calls = List.of(Map.of("type", "function", "function", Map.of("name", "apply")));
        String tagged = before.replace("<call>", "<tool_call>").replace("<call|>", "<tool_call|>");
        assertThat(divided(tagged, List.of(said("<think>thought</think>said", calls))))
                .containsExactly("said", "<think>thought</think>", "<tool_call>apply<tool_call|>", "<eot>");
        String untagged = before.replace("<call>", "[").replace("<call|>", "()]");
        assertThat(divided(untagged, List.of(said("said", calls)))).containsExactly("said", "", "[apply()]", "<eot>");
    }

    @Test
    void keysOfArgumentsAreOfTheCall() throws ChatException {
        String json = "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls %}<tool_call>"
                + "{{ c.function.arguments | tojson }}</tool_call>{% endfor %}<eot>{% endfor %}";
        Map<String, Object> function = Map.of("name", "n", "arguments", Map.of("</think>", 1));
        assertThat(divided(json, List.of(said("said", List.of(Map.of("type", "function", "function", function))))))
                .containsExactly("said", "", "<tool_call>{\"</think>\": 1}</tool_call>", "<eot>");
    }

    /** OLMo 3 reads its calls from this member. */
    @Test
    void functionCallsAreCalls() throws ChatException {
        String olmo = "{% for m in messages %}{{ m.content }}<function_calls>{{ m.function_calls }}</function_calls>"
                + "<eot>{% endfor %}";
        assertThat(divided(olmo, List.of(Map.of("role", "assistant", "content", "said", "function_calls", "f()"))))
                .containsExactly("said", "", "<function_calls>f()</function_calls>", "<eot>");
    }

    private static Map<String, Object> said(String content, List<Map<String, Object>> calls) {
        return Map.of("role", "assistant", "content", content, "tool_calls", calls);
    }

    /** A text in parts without the header of an answer. */
    private static List<String> divided(String source, List<Map<String, Object>> messages) throws ChatException {
        List<String> texts = new ArrayList<>();
        for (AnswerPart part :
                List.of(AnswerPart.CONTENT, AnswerPart.THINKING, AnswerPart.TOOL_CALLS, AnswerPart.END)) {
            Rendered made = new ChatTemplate(source, Map.of(), new ChatOptions(null, EnumSet.of(part)))
                    .render(messages, Map.of());
            texts.add(made.spans().stream()
                    .map(span -> made.text().substring(span.begin(), span.end()))
                    .collect(Collectors.joining()));
        }
        return texts;
    }

    @Test
    void eachPartHasItsOwnWordsInEveryTemplate() throws IOException {
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        int refused = 0;
        for (String template : templates()) {
            for (EnumSet<AnswerPart> parts : List.of(
                    EnumSet.of(AnswerPart.CONTENT),
                    EnumSet.of(AnswerPart.TOOL_CALLS),
                    EnumSet.of(AnswerPart.CONTENT, AnswerPart.THINKING),
                    EnumSet.of(AnswerPart.CONTENT, AnswerPart.TOOL_CALLS),
                    EnumSet.of(AnswerPart.THINKING, AnswerPart.TOOL_CALLS),
                    EnumSet.copyOf(WORDS.keySet()))) {
                List<Map<String, Object>> messages = new ArrayList<>(List.of(QUESTION, answer(parts)));
                if (parts.contains(AnswerPart.TOOL_CALLS)) {
                    messages.addAll(List.of(RESULT, answer(EnumSet.of(AnswerPart.CONTENT))));
                }
                try {
                    compare(template, messages, wrong);
                    compared++;
                } catch (ChatException e) {
                    refused++;
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).isGreaterThan(refused);
    }

    private static void compare(String template, List<Map<String, Object>> messages, List<String> wrong)
            throws IOException, ChatException {
        String whole = String.join("|", texts(template, messages, Map.of(), AnswersTest.WHOLE));
        for (AnswerPart part : AnswerPart.values()) {
            String text = part(template, messages, part);
            for (AnswerPart of : WORDS.keySet()) {
                int expected = of == part ? count(whole, WORD.get(of)) : 0;
                if (count(text, WORD.get(of)) != expected) {
                    wrong.add(template + ", " + part + ": " + text + " of " + whole);
                }
            }
        }
    }

    private static int count(String text, String word) {
        return text.split(word, -1).length - 1;
    }

    @Test
    void thePartsTogetherAreTheAnswer() throws IOException {
        int compared = 0;
        int refused = 0;
        for (String template : templates()) {
            for (JsonNode conversation : JSON.readTree(Files.readString(FOLDER.resolve("conversations.json")))) {
                List<Map<String, Object>> messages =
                        JSON.convertValue(conversation.path("messages"), new TypeReference<>() {});
                Map<String, Object> arguments = new HashMap<>();
                arguments.put("tools", JSON.convertValue(conversation.path("tools"), Object.class));
                try {
                    List<Rendered.Span> whole = spans(template, messages, arguments, AnswersTest.WHOLE);
                    int characters = 0;
                    for (AnswerPart part : AnswerPart.values()) {
                        EnumSet<AnswerPart> others = EnumSet.complementOf(EnumSet.of(part));
                        characters += length(spans(template, messages, arguments, EnumSet.of(part)));
                        assertThat(length(spans(template, messages, arguments, others))
                                        + length(spans(template, messages, arguments, EnumSet.of(part))))
                                .isEqualTo(length(whole));
                    }
                    assertThat(characters).isEqualTo(length(whole));
                    compared++;
                } catch (ChatException e) {
                    refused++;
                }
            }
        }
        assertThat(compared).isGreaterThan(refused);
    }

    private static int length(List<Rendered.Span> spans) {
        return spans.stream().mapToInt(span -> span.end() - span.begin()).sum();
    }

    private static Map<String, Object> answer(Iterable<AnswerPart> parts) {
        Map<String, Object> answer = new HashMap<>(Map.of("role", "assistant"));
        parts.forEach(
                part -> answer.put(WORDS.get(part).getKey(), WORDS.get(part).getValue()));
        return answer;
    }

    private static String part(String template, List<Map<String, Object>> messages, AnswerPart part)
            throws IOException, ChatException {
        return String.join("|", texts(template, messages, Map.of(), EnumSet.of(part)))
                .replace("\n", "+");
    }

    private static List<String> templates() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER.resolve("published"))) {
            return files.map(file -> file.getFileName().toString().replace(".jinja", ""))
                    .sorted()
                    .toList();
        }
    }

    private static List<Rendered.Span> spans(
            String template,
            List<Map<String, Object>> messages,
            Map<String, Object> arguments,
            EnumSet<AnswerPart> parts)
            throws IOException, ChatException {
        return rendered(template, messages, arguments, parts).spans();
    }

    private static List<String> texts(
            String template,
            List<Map<String, Object>> messages,
            Map<String, Object> arguments,
            EnumSet<AnswerPart> parts)
            throws IOException, ChatException {
        Rendered rendered = rendered(template, messages, arguments, parts);
        return rendered.spans().stream()
                .map(span -> rendered.text().substring(span.begin(), span.end()))
                .collect(Collectors.toList());
    }

    private static Rendered rendered(
            String template,
            List<Map<String, Object>> messages,
            Map<String, Object> arguments,
            EnumSet<AnswerPart> parts)
            throws IOException, ChatException {
        String key = template + parts;
        if (!TEMPLATES.containsKey(key)) {
            TEMPLATES.put(
                    key,
                    new ChatTemplate(
                            Files.readString(FOLDER.resolve("published/" + template + ".jinja")),
                            Map.of("bos_token", "<s>", "eos_token", "</s>", "pad_token", "<pad>"),
                            new ChatOptions(LocalDate.of(2026, 7, 1), parts)));
        }
        return TEMPLATES.get(key).render(messages, arguments);
    }
}
