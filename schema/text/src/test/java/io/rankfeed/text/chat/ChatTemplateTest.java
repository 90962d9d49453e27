package io.rankfeed.text.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations are the texts that transformers renders, and the answers in them are found. */
class ChatTemplateTest {
    private static final Path FOLDER = Path.of("src/test/resources/chat");
    private static final Path PUBLISHED = FOLDER.resolve("published");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> SPECIAL =
            Map.of("bos_token", "<s>", "eos_token", "</s>", "pad_token", "<pad>", "unk_token", "<unk>");
    private static final List<Map<String, Object>> HELLO =
            List.of(Map.of("role", "user", "content", "Hi"), Map.of("role", "assistant", "content", "Yo"));

    static Stream<Arguments> cases() throws IOException {
        JsonNode golden = JSON.readTree(Files.readString(FOLDER.resolve("golden.json")));
        return StreamSupport.stream(golden.spliterator(), false)
                .map(one -> Arguments.of(
                        one.path("template").asText() + ", "
                                + one.path("conversation").asText(),
                        one));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void aConversationIsTheTextOfTransformers(String name, JsonNode golden) throws Exception {
        ChatTemplate template = template(
                Files.readString(PUBLISHED.resolve(golden.path("template").asText())));
        List<Map<String, Object>> messages = JSON.convertValue(golden.path("messages"), new TypeReference<>() {});
        List<Object> tools = JSON.convertValue(golden.path("tools"), new TypeReference<>() {});
        if (golden.has("error")) {
            assertThatThrownBy(() -> template.render(messages, tools(tools)))
                    .isInstanceOf(ChatException.class)
                    .hasMessageContaining("the chat template rejects the conversation");
        } else {
            assertThat(template.render(messages, tools(tools)).text())
                    .isEqualTo(golden.path("text").asText());
        }
    }

    @Test
    void answersAreFound() throws Exception {
        ChatTemplate template = template(Files.readString(PUBLISHED.resolve("qwen2_5.jinja")));
        List<Map<String, Object>> messages = new ArrayList<>(HELLO);
        messages.add(Map.of("role", "user", "content", "Bye"));
        messages.add(Map.of("role", "assistant", "content", "Later"));

        Rendered rendered = template.render(messages, Map.of());

        assertThat(rendered.spans().stream().map(span -> rendered.text().substring(span.begin(), span.end())))
                .containsExactly("Yo<|im_end|>\n", "Later<|im_end|>\n");
    }

    @Test
    void answersAreWhatIsTagged() throws Exception {
        ChatTemplate template = template(
                "{% for m in messages %}{{ m.role }}: {% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}{% else %}{{ m.content }}{% endif %}{{ '\\n' }}{% endfor %}");

        Rendered rendered = template.render(HELLO, Map.of());

        assertThat(rendered.text()).isEqualTo("user: Hi\nassistant: Yo\n");
        assertThat(rendered.spans()).containsExactly(new Rendered.Span(20, 22));
    }

    @Test
    void aTextMayBeLong() throws Exception {
        String text = "a\\n".repeat(100_000);

        Rendered rendered = template("{{ '" + text + "' }}").render(HELLO.subList(0, 1), Map.of());

        assertThat(rendered.text()).isEqualTo("a\n".repeat(100_000));
    }

    @Test
    void aTemplateThatAsksForTheDateNeedsOne() throws Exception {
        String source = "{{ strftime_now('%d %b %Y') }}";

        assertThatThrownBy(() -> template(source))
                .isInstanceOf(ChatException.class)
                .hasMessageContaining("state one, such as date: 2026-07-01");
        assertThat(new ChatTemplate(source, SPECIAL, new ChatOptions(LocalDate.of(2026, 7, 1), AnswersTest.WHOLE))
                        .render(HELLO, Map.of())
                        .text())
                .isEqualTo("01 Jul 2026");
    }

    @Test
    void argumentsAreVariables() throws Exception {
        String source = "{{ enable_thinking }}{{ bos_token }}{{ add_generation_prompt }}{{ documents }}";

        assertThat(template(source)
                        .render(
                                HELLO.subList(0, 1),
                                Map.of("enable_thinking", false, "bos_token", "^", "add_generation_prompt", true))
                        .text())
                .isEqualTo("False^TrueNone");
    }

    @Test
    void membersThatAreNullAreDropped() throws Exception {
        Map<String, Object> message = new HashMap<>(Map.of("role", "user"));
        message.put("content", null);

        assertThat(template("{{ 'content' in messages[0] }}{{ messages[0].content }}")
                        .render(List.of(message), Map.of())
                        .text())
                .isEqualTo("False");
    }

    @ParameterizedTest
    @ValueSource(strings = {"reasoning_content", "thinking", "reasoning"})
    void reasoningHasTheNamesThatTemplatesRead(String name) throws Exception {
        String text = template("{{ messages[0].reasoning_content }}{{ messages[0].thinking }}")
                .render(List.of(Map.of("role", "user", name, "hm")), Map.of())
                .text();

        assertThat(text).isEqualTo("hmhm");
    }

    @Test
    void aRefusalOfTheTemplateIsToldFromAnError() throws Exception {
        assertThatThrownBy(() -> template("{{ raise_exception('no robots') }}").render(HELLO, Map.of()))
                .isInstanceOf(ChatException.class)
                .hasMessage("the chat template rejects the conversation: no robots");
        assertThatThrownBy(() -> template("{{ messages[0].nothing.more }}").render(HELLO, Map.of()))
                .isInstanceOf(ChatException.class)
                .hasMessage(
                        "the chat template cannot be rendered: line 1: 'nothing' of a value of type dict is undefined");
        assertThatThrownBy(() -> template("{% if %}"))
                .isInstanceOf(ChatException.class)
                .hasMessageStartingWith("the chat template cannot be read: line 1: ");
    }

    private static ChatTemplate template(String source) throws ChatException {
        return new ChatTemplate(source, SPECIAL, ChatOptions.DEFAULT);
    }

    private static Map<String, Object> tools(List<Object> tools) {
        return tools == null ? Map.of() : Map.of("tools", tools);
    }
}
