package io.rankfeed.spark.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations are the texts that transformers renders; hostile templates get nowhere. */
class ChatTemplateTest {
    private static final Path FOLDER = Path.of("src/test/resources/chat");
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
        ChatTemplate template = new ChatTemplate(
                Files.readString(FOLDER.resolve(golden.path("template").asText())), SPECIAL);
        List<Map<String, Object>> messages = JSON.convertValue(golden.path("messages"), new TypeReference<>() {});
        List<Object> tools = JSON.convertValue(golden.path("tools"), new TypeReference<>() {});
        boolean isAmbiguous = golden.path("template").asText().equals("phi3.jinja") && messages.size() > 3;

        if (golden.has("error")) {
            assertThatThrownBy(() -> template.render(messages, tools))
                    .isInstanceOf(ChatException.class)
                    .hasMessageContaining("the template refuses it");
        } else if (isAmbiguous) {
            // It ends every text with a token, so that no conversation is the begin of a longer one.
            assertThatThrownBy(() -> template.render(messages, tools))
                    .isInstanceOf(ChatException.class)
                    .hasMessageContaining("add {% generation %} tags");
        } else {
            assertThat(template.render(messages, tools).text())
                    .isEqualTo(golden.path("text").asText());
        }
    }

    @Test
    void answersAreFoundByPrefix() throws Exception {
        ChatTemplate template = new ChatTemplate(Files.readString(FOLDER.resolve("qwen2_5.jinja")), SPECIAL);
        List<Map<String, Object>> messages = new ArrayList<>(HELLO);
        messages.add(Map.of("role", "user", "content", "Bye"));
        messages.add(Map.of("role", "assistant", "content", "Later"));

        Rendered rendered = template.render(messages, null);

        assertThat(rendered.spans().stream().map(span -> rendered.text().substring(span.begin(), span.end())))
                .containsExactly("Yo<|im_end|>\n", "Later<|im_end|>\n");
    }

    @Test
    void answersAreWhatIsTagged() throws Exception {
        ChatTemplate template = new ChatTemplate(
                "{% for m in messages %}{{ m.role }}: {% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}{% else %}{{ m.content }}{% endif %}{{ '\\n' }}{% endfor %}",
                SPECIAL);

        Rendered rendered = template.render(HELLO, null);

        assertThat(rendered.text()).isEqualTo("user: Hi\nassistant: Yo\n");
        assertThat(rendered.spans()).containsExactly(new Rendered.Span(20, 22));
    }

    static Stream<Arguments> expressions() {
        return Stream.of(
                Arguments.of("{{ messages[-1].content }}", "Yo"),
                Arguments.of("{{ false|string ~ 1e-7|string }}", "False1e-07"),
                Arguments.of("{{ true }} {{ 2.5 }} {{ 3 }} {{ 1 == 2 }}", "True 2.5 3 False"),
                Arguments.of("{% if true %}\n  {% set x = 1 -%}\n y{{ x }}{% endif %}", "y1"),
                Arguments.of("{% for m in messages[::-1] %}{{ m.content }}{% endfor %}", "YoHi"),
                Arguments.of("{{ messages|length - 1 }}", "1"),
                Arguments.of("{{ messages and 'x' }}{{ messages[0].nothing }}{{ tools }}", "xNone"),
                Arguments.of("{{ not tools is defined }}{{ not 'a' == 'b' }}{{ 'a' is iterable }}", "FalseTrueTrue"),
                Arguments.of("{% if 'false' %}a{% endif %}{{ '\\x1b\\u00e9\\\\' }}", "a\u001bé\\"),
                Arguments.of("{\n{%- if true %}b{% endif -%}\n}", "{b}"),
                Arguments.of("{% for k, v in {'a': 1, 'b': 2}|items %}{{ k }}{{ v }}{% endfor %}", "a1b2"),
                Arguments.of("{% for i in [1, 2, 3] if i != 2 %}{{ i }}{{ loop.nextitem }}{% endfor %}", "133"),
                Arguments.of(
                        "{% for i in [1, 2, 3] %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}", "13"),
                Arguments.of("{% macro f(a, b='q') %}{{ a }}{{ b }}{% endmacro %}{{ f(1) + f(2, b=none) }}", "1q2None"),
                Arguments.of("{% set x = 1 %}{% for m in messages %}{% set x = 2 %}{% endfor %}{{ x }}", "1"),
                Arguments.of("{{ ' \\u00a0a\\x1c '|trim }}", "a"),
                Arguments.of(
                        "{% set ns = namespace(a=messages|length - 1, b='x,y)') %}{% set ns.a = ns.a + 2 %}{{ ns.a }}{{ ns.b }}",
                        "3x,y)"),
                Arguments.of(
                        "{{ ' a '.strip() ~ 'b_'.rstrip('_') ~ ('yes' if 'abc'.startswith('ab') else 'no') }}",
                        "abyes"),
                Arguments.of("{{ 'a-b'.split('-')[1] }}", "b"),
                Arguments.of(
                        "{{ {'a': [1, 2.5, none, true, 'é\"']}|tojson }}", "{\"a\": [1, 2.5, null, true, \"é\\\"\"]}"),
                Arguments.of("{{ [1]|tojson(indent=2) }}", "[\n  1\n]"),
                Arguments.of("{{ 'x' if messages[0].nothing is defined else 'y' }}", "y"),
                Arguments.of("{{ 'x' if tools is none else 'y' }}", "x"),
                Arguments.of("{{ 'x' if tools is not none else 'y' }}", "y"),
                Arguments.of("a {% if true %} b{% endif %}\nc", "a  bc"),
                Arguments.of("a\n  {% if true %}\n  b\n  {% endif %}\nc\n", "a\n  b\nc\n"),
                Arguments.of("a \n {%- if true -%} \n b {%- endif -%} \n c", "abc"),
                Arguments.of("{{ 'a' }}\n{{- 'b' }}", "ab"),
                Arguments.of("{{ '{{ 1 }} }} %}' }}{# x #}\nz", "{{ 1 }} }} %}z"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("expressions")
    void expressionsAreThoseOfPython(String source, String expected) throws Exception {
        assertThat(new ChatTemplate("{% generation %}" + source + "{% endgeneration %}", SPECIAL)
                        .render(HELLO, null)
                        .text())
                .isEqualTo(expected);
    }

    /** Every text that is rendered is that of transformers; what is unsupported is refused, which is a smaller part. */
    @Test
    void randomExpressionsAreThoseOfTransformersOrRefused() throws IOException {
        JsonNode cases = JSON.readTree(Files.readString(FOLDER.resolve("expressions.json")));
        int rendered = 0;
        int refused = 0;
        for (JsonNode one : cases) {
            List<Map<String, Object>> messages = JSON.convertValue(one.path("messages"), new TypeReference<>() {});
            List<Object> tools = JSON.convertValue(one.path("tools"), new TypeReference<>() {});
            try {
                String text = new ChatTemplate(one.path("source").asText(), SPECIAL)
                        .render(messages, tools)
                        .text();
                assertThat(text)
                        .as(one.path("source").asText())
                        .isEqualTo(one.path("text").textValue());
                rendered++;
            } catch (ChatException e) {
                refused += one.path("text").isNull() ? 0 : 1;
            }
        }
        assertThat(rendered).isGreaterThan(5 * refused);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ ''.getClass() }}",
                "{{ ''.getClass().forName('java.lang.Runtime') }}",
                "{{ messages.getClass() }}",
                "{{ messages.iterator() }}",
                "{{ messages.clear() }}",
                "{{ messages.append(1) }}",
                "{{ messages[0].nothing.more }}",
                "{{ messages[0].items }}",
                "{{ nothing|tojson }}",
                "{% set rankfeed_none = 1 %}",
                "{% for m in messages %}{% else %}{% endfor %}",
                "{% if true %}",
                "{% call f() %}{% endcall %}",
                "{{ messages }}",
                "{{ messages[0].put('role', 'x') }}",
                "{% for m in messages %}{{ loop.doBreak() }}{% endfor %}",
                "{% for m in messages %}{{ loop.getClass() }}{% endfor %}",
                "{% for m in messages %}{{ loop.class }}{% endfor %}",
                "{{ ____int3rpr3t3r____.config }}",
                "{{ ____int3rpr3t3r____.getContext() }}",
                "{% include '/etc/passwd' %}",
                "{% import '/etc/passwd' as x %}{{ x }}",
                "{% extends '/etc/passwd' %}",
                "{% from '/etc/passwd' import x %}",
                "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
                "{% set x = 'aaaaaaaaaa' %}{% for a in range(100) %}{% set x = x ~ x %}{% endfor %}{{ x }}",
                "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}",
                "{% for a in range(9999) %}{% for b in range(9999) %}{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa' }}{% endfor %}{% endfor %}",
                "{{ unknown_function() }}",
                "{{ unixtimestamp() }}",
                "{{ today() }}",
                "{{ messages[0]() }}",
                "{{ messages[::2] }}",
                "{{ 'x'.encode() }}",
                "{% unknown %}",
                "{{ messages|unknown }}",
                "{% if %}",
                "{{ 'a' * 1000000000 }}"
            })
    void aHostileOrUnsupportedTemplateIsRefused(String source) {
        assertThatThrownBy(() -> new ChatTemplate(source, SPECIAL).render(HELLO, null))
                .isInstanceOf(ChatException.class);
    }

    static Stream<String> endless() {
        String deep = "(".repeat(10_000);
        String either = "messages[9]";
        for (int i = 0; i < 60; i++) {
            either = "(" + either + " or messages[9])";
        }
        return Stream.of(
                "{{ " + deep + "1" + deep.replace('(', ')') + " }}",
                "{{ " + "not ".repeat(10_000) + "1 }}",
                "{{ " + "- ".repeat(10_000) + "1 }}",
                "{{ " + "1 or ".repeat(10_000) + "1 }}",
                "{{ " + "1 and ".repeat(10_000) + "1 }}",
                "{{ " + "1 if 1 else ".repeat(10_000) + "1 }}",
                "{{ " + "1 ~ ".repeat(10_000) + "1 }}",
                "{{ 1" + "|string".repeat(10_000) + " }}",
                "{{ " + "[".repeat(10_000) + " }}",
                "{{ " + either + " }}",
                "{{ " + either.replace("or", "and") + " }}",
                "{% if 1 %}".repeat(10_000) + "{% endif %}".repeat(10_000),
                "{{ '" + "\\".repeat(9_999) + "' }}",
                "{{ '" + "a".repeat(100_000),
                "{{ '\\xZZ' }}",
                "{{ '\\x+1' }}",
                "{{ '\\u123' }}");
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("endless")
    void aTemplateWithoutEndIsRefused(String source) {
        assertThatThrownBy(() -> new ChatTemplate(source, SPECIAL).render(HELLO, null))
                .isInstanceOf(ChatException.class)
                .hasMessageNotContaining("null");
    }

    @Test
    void aTextMayBeLong() throws Exception {
        String text = "a\\n".repeat(100_000);

        Rendered rendered = new ChatTemplate("{{ '" + text + "' }}", SPECIAL).render(HELLO.subList(0, 1), null);

        assertThat(rendered.text()).isEqualTo("a\n".repeat(100_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\uFDD0", "\uFDD1b"})
    void aTextWithAMarkIsRefused(String content) throws Exception {
        ChatTemplate template = new ChatTemplate("{{ messages[0].content }}", SPECIAL);

        assertThatThrownBy(() -> template.render(List.of(Map.of("role", "user", "content", content)), null))
                .isInstanceOf(ChatException.class)
                .hasMessageContaining("U+FDD0");
    }

    @Test
    void aTemplateThatAsksForTheDateIsRefused() {
        assertThatThrownBy(() -> new ChatTemplate("{{ strftime_now('%d') }}", SPECIAL))
                .isInstanceOf(ChatException.class)
                .hasMessageContaining("fixed text");
    }
}
