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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ ''.getClass() }}",
                "{{ ''.getClass().forName('java.lang.Runtime') }}",
                "{{ messages.getClass() }}",
                "{{ messages.iterator() }}",
                "{{ messages.clear() }}",
                "{{ messages.append(1) }}",
                "{{ messages[0].nothing }}",
                "{{ messages[0].nothing|string }}",
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
                "{{ messages[::2] }}",
                "{{ 'x'.encode() }}",
                "{{ messages and 'x' }}",
                "{% unknown %}",
                "{{ messages|unknown }}",
                "{% if %}",
                "{{ 'a' * 1000000000 }}"
            })
    void aHostileOrUnsupportedTemplateIsRefused(String source) {
        assertThatThrownBy(() -> new ChatTemplate(source, SPECIAL).render(HELLO, null))
                .isInstanceOf(ChatException.class);
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
