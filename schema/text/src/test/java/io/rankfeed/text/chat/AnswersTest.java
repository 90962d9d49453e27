package io.rankfeed.text.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rankfeed.schema.text.AnswerPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the assistant says in templates without generation blocks. */
class AnswersTest {
    static final EnumSet<AnswerPart> WHOLE = EnumSet.allOf(AnswerPart.class);
    private static final Path FOLDER = Path.of("src/test/resources/chat");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Map<String, Object>> DIALOG = List.of(
            Map.of("role", "user", "content", "Hi"),
            Map.of("role", "assistant", "content", "Yo"),
            Map.of("role", "user", "content", "Bye"),
            Map.of("role", "assistant", "content", "Later"));

    /** For each of these models TRL has the template as published and one with generation blocks. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cohere",
                "cohere2",
                "diffusion_gemma",
                "gemma",
                "gemma3",
                "idefics3",
                "lfm2",
                "lfm2_v2",
                "llama3",
                "nemotron_3_5_lightning",
                "nemotron_3_nano",
                "nemotron_3_super",
                "nemotron_3_ultra",
                "phi3",
                "phi3_5",
                "qwen2_5_vl",
                "qwen3",
                "qwen3_5_nothink",
                "qwen3_5_think",
                "qwen3_6",
                "qwen3_8",
                "qwen3_instruct_2507",
                "qwen3_vl",
                "smolvlm"
            })
    void answersAreThoseThatTrlTrains(String model) throws IOException, ChatException {
        ChatTemplate published = template(model);
        ChatTemplate training = template(model + "_training");
        int compared = 0;
        for (JsonNode conversation : JSON.readTree(Files.readString(FOLDER.resolve("conversations.json")))) {
            List<Map<String, Object>> messages =
                    JSON.convertValue(conversation.path("messages"), new TypeReference<>() {});
            List<Object> tools = JSON.convertValue(conversation.path("tools"), new TypeReference<>() {});
            Rendered expected;
            Rendered actual;
            try {
                expected = training.render(messages, tools(tools));
                actual = published.render(messages, tools(tools));
            } catch (ChatException e) {
                continue;
            }
            // The training templates of some models keep what is thought in earlier turns.
            if (expected.text().equals(actual.text())) {
                assertThat(trained(actual))
                        .as(conversation.path("name").asText())
                        .isEqualTo(trained(expected));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(10);
    }

    /** The text with all that is not trained as blanks. */
    private static String trained(Rendered rendered) {
        char[] mask = new char[rendered.text().length()];
        Arrays.fill(mask, '·');
        rendered.spans().forEach(span -> rendered.text().getChars(span.begin(), span.end(), mask, span.begin()));
        return new String(mask);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            `{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}`, Yo</s>|Later</s>
            `{% for m in messages %}{{ m.role }}: {{ m.content }};{% endfor %}`, Yo;|Later;
            `{% for m in messages %}{{ m.role }}: {{ m.content|upper }};{% endfor %}{{ 'assistant: ' if add_generation_prompt }}`, YO;|LATER;
            `{% for m in messages %}[{{ m.content }}]{% endfor %}{% if not add_generation_prompt %}<end>{% endif %}`, Yo]|Later]<end>
            `{% macro say(m) %}({{ m.content }}){% endmacro %}{% for m in messages %}{{ say(m) }}{% endfor %}`, Yo)|Later)
            `{% for m in messages %}{% set last = loop.last %}{{ 'A' if last }}{{ m.content }}.{% endfor %}`, Yo.|Later.
            `{% for i in range(messages|length) %}{{ messages[i].content }};{% endfor %}`, Yo;|Later;
            """)
    void theAnswerFollowsTheHeaderOfItsTurn(String source, String answers) throws ChatException {
        Rendered rendered = new ChatTemplate(source, Map.of(), ChatOptions.DEFAULT).render(DIALOG, Map.of());

        assertThat(rendered.spans().stream().map(span -> rendered.text().substring(span.begin(), span.end())))
                .containsExactly(answers.split("\\|"));
    }

    /** The prompt opens what the model thinks, which an answer that calls a tool does not have. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            `<turn><assistant>`, `<turn><assistant><thinking>`
            `@<assistant>@`, `@<assistant>@Here are my steps:@`
            """)
    void headerBeforeToolCalls_promptGoesOn_isNoAnswer(String header, String prompt) throws ChatException {
        String source = "{% for m in messages %}"
                + "{% if m.tool_calls %}@HEADER@<call>{{ m.tool_calls[0].function.name }}</call>"
                + "{% elif m.role == 'assistant' %}@HEADER@{{ m.content }}{% else %}<turn><user>{{ m.content }}{% endif %}<end>"
                + "{% endfor %}{% if add_generation_prompt %}@PROMPT@{% endif %}";
        ChatTemplate template = new ChatTemplate(
                source.replace("@HEADER@", literal(header)).replace("@PROMPT@", literal(prompt)),
                Map.of(),
                ChatOptions.DEFAULT);
        List<Map<String, Object>> messages = List.of(
                DIALOG.get(0),
                Map.of("role", "assistant", "tool_calls", List.of(Map.of("function", Map.of("name", "look")))),
                DIALOG.get(2),
                DIALOG.get(3));

        Rendered rendered = template.render(messages, Map.of());

        assertThat(rendered.spans().stream().map(span -> rendered.text().substring(span.begin(), span.end())))
                .containsExactly("<call>look</call><end>", "Later<end>");
    }

    /** An expression of the text, with a line end for each {@code @}. */
    private static String literal(String text) {
        return "{{ '" + text.replace("@", "\\n") + "' }}";
    }

    @Test
    void anAnswerOutsideOfItsTurnIsRefused() throws ChatException {
        ChatTemplate template = new ChatTemplate(
                "{% for m in messages %}{% if m.role == 'user' %}{{ loop.nextitem.content }}{% endif %}{% endfor %}{{ messages|length }}",
                Map.of(), ChatOptions.DEFAULT);

        assertThatThrownBy(() -> template.render(DIALOG, Map.of()))
                .isInstanceOf(ChatException.class)
                .hasMessageContaining("cannot be found");
    }

    @Test
    void anAnswerThatIsNotWrittenEndsNoOtherOne() throws ChatException {
        ChatTemplate template = new ChatTemplate(
                "{% for m in messages %}{% if m.content %}<{{ m.role }}>{{ m.content }}{% endif %}{% endfor %}"
                        + "{% if add_generation_prompt %}<assistant>{% else %}<end>{% endif %}",
                Map.of(), ChatOptions.DEFAULT);
        List<Map<String, Object>> messages =
                List.of(DIALOG.get(0), DIALOG.get(1), DIALOG.get(2), Map.of("role", "assistant", "content", ""));

        Rendered rendered = template.render(messages, Map.of());

        assertThat(rendered.text()).isEqualTo("<user>Hi<assistant>Yo<user>Bye<end>");
        assertThat(rendered.spans().stream().map(span -> rendered.text().substring(span.begin(), span.end())))
                .containsExactly("Yo");
    }

    @Test
    void anAnswerAfterTheLoopIsFoundByThePrompt() throws ChatException {
        ChatTemplate template = new ChatTemplate(
                "{% for m in messages[:-1] %}<{{ m.role }}>{{ m.content }}{% endfor %}<{{ messages[-1].role }}>{{ messages[-1].content }}"
                        + "{% if add_generation_prompt %}<assistant>{% endif %}",
                Map.of(), ChatOptions.DEFAULT);

        Rendered rendered = template.render(DIALOG, Map.of());

        assertThat(rendered.spans().stream().map(span -> rendered.text().substring(span.begin(), span.end())))
                .containsExactly("Yo", "Later");
    }

    @Test
    void theRequestedPromptIsNoAnswer() throws ChatException {
        ChatTemplate template = new ChatTemplate(
                "{% for i in range(messages|length) %}{{ '<assistant>' if messages[i].role == 'assistant' }}{{ messages[i].content }};"
                        + "{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}",
                Map.of(), ChatOptions.DEFAULT);

        Rendered rendered = template.render(DIALOG, Map.of("add_generation_prompt", true));

        assertThat(rendered.text()).isEqualTo("Hi;<assistant>Yo;Bye;<assistant>Later;<assistant>");
        assertThat(rendered.spans().stream().map(span -> rendered.text().substring(span.begin(), span.end())))
                .containsExactly("Yo;", "Later;");
    }

    @Test
    void aConversationWithoutMessagesIsRefused() throws ChatException {
        ChatTemplate template = new ChatTemplate("x", Map.of(), ChatOptions.DEFAULT);

        assertThatThrownBy(() -> template.render(List.of(), Map.of()))
                .isInstanceOf(ChatException.class)
                .hasMessage("the conversation has no messages");
    }

    @Test
    void aTurnWithAnotherMessageIsRefused() throws ChatException {
        ChatTemplate template = new ChatTemplate(
                "{% for m in messages %}{% if m.role == 'assistant' %}{{ m.content }}{{ loop.previtem.content }}{% endif %}{% endfor %}",
                Map.of(), ChatOptions.DEFAULT);

        assertThatThrownBy(() -> template.render(DIALOG, Map.of()))
                .isInstanceOf(ChatException.class)
                .hasMessage(
                        "message 1: the template writes message 0 into its turn, so that the answer cannot be found; add"
                                + " {% generation %} tags to the template");
    }

    private static ChatTemplate template(String name) throws IOException, ChatException {
        Map<String, String> special = Map.of("bos_token", "<s>", "eos_token", "</s>", "pad_token", "<pad>");
        String source = Files.readString(FOLDER.resolve("published/" + name + ".jinja"));
        return new ChatTemplate(source, special, new ChatOptions(LocalDate.of(2026, 7, 1), WHOLE));
    }

    private static Map<String, Object> tools(List<Object> tools) {
        return tools == null ? Map.of() : Map.of("tools", tools);
    }
}
