package io.rankfeed.text.chat.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What templates mean, and where they end. */
class TemplateTest {
    private static String rendered(String source) {
        return Template.parse(source)
                .render(new Variables()
                        .set("l", List.of(3, 1, 2))
                        .set("d", Map.of("a", "x"))
                        .set("s", "aé😀")
                        .setDate(LocalDate.of(2026, 7, 1)))
                .text();
    }

    static Stream<Arguments> meanings() {
        return Stream.of(
                // A variable ends with its iteration, and keeps its outer value until it is set.
                Arguments.of(
                        "{% for i in l %}{% if loop.first %}{% set q = 1 %}{% endif %}{{ q }};{% endfor %}", "1;;;"),
                Arguments.of(
                        "{% set q = 0 %}{% for i in l %}{{ q }}{% set q = i %}{{ q }} {% endfor %}{{ q }}",
                        "03 01 02 0"),
                Arguments.of("{% for i in l %}{{ d }}{% endfor %}{% set d = 1 %}", ""),
                Arguments.of("{% if false %}{% set d = 1 %}{% endif %}{{ d.a }}", "x"),
                Arguments.of(
                        "{% set n = namespace(x=1) %}{% for i in l %}{% set n.x = n.x + i %}{% endfor %}{{ n.x }}",
                        "7"),
                Arguments.of("{% set f = 1 %}{% macro m() %}{{ f }}{% endmacro %}{% set f = 2 %}{{ m() }}", "2"),
                // Safe text: its items are plain but for those that are taken by an index.
                Arguments.of("{{ '<' + ('ab'|safe|first) + ('ab'|safe|list)[0] + ('ab'|safe|join) }}", "<aaab"),
                Arguments.of("{% for c in 'ab'|safe %}{{ '<' + c }}{% endfor %}", "<a<b"),
                Arguments.of("{{ '<' + ('ab'|safe|last) }}{{ '<' + ('ab'|safe)[0] }}", "&lt;b&lt;a"),
                // Ends of lines, blocks and space around them.
                Arguments.of("a\r\nb\rc\n", "a\nb\nc"),
                Arguments.of("a\n  {% if 1 %}\n  b\n  {% endif %}\nc\n", "a\n  b\nc"),
                Arguments.of("a \n {%- if 1 -%} \n b {%- endif -%} \n c", "abc"),
                Arguments.of("a {%+ if 1 %} b{% endif +%}\nc", "a  b\nc"),
                Arguments.of("{#-#}\nx{% raw %}{{ y }}{% endraw %}", "x{{ y }}"),
                // Loops, macros and blocks.
                Arguments.of("{% for i in [] %}x{% else %}none{% endfor %}", "none"),
                Arguments.of("{% for i in l %}{% break %}{% else %}E{% endfor %}", "E"),
                Arguments.of("{% for i in l if i > 1 %}{{ loop.length }}{{ i }}{% endfor %}", "2322"),
                Arguments.of(
                        "{% for n in [[1, [2]], [3]] recursive %}{{ n if n is number else '(' ~ loop(n) ~ ')' }}{% endfor %}",
                        "(1(2))(3)"),
                Arguments.of(
                        "{% macro m(a, b=a) %}{{ a }}{{ b }}{{ varargs }}{% endmacro %}{{ m(1) }}{{ m(1, 2, 3) }}",
                        "11()12(3,)"),
                Arguments.of(
                        "{% macro m() %}<{{ caller(2) }}>{% endmacro %}{% call(x) m() %}{{ x }}{% endcall %}", "<2>"),
                Arguments.of(
                        "{% set x | upper %}a{{ 1 }}{% endset %}{{ x }}{% filter lower %}BC{% endfilter %}", "A1bc"),
                // Expressions.
                Arguments.of("{{ 1 < 2 < 3 }}{{ 2 ** 3 ** 2 }}{{ -1|abs }}{{ 3 ~ 2 * 2 }}", "True64134"),
                Arguments.of(
                        "{{ {'a': 1, 'b': {}} }}{{ (1,) }}{{ [none, 'q\\'', 1.0] }}",
                        "{'a': 1, 'b': {}}(1,)[None, \"q'\", 1.0]"),
                Arguments.of("{{ ('<b>'|e)[::2] + '<' }}", "&tbg;&lt;"),
                Arguments.of("{{ s[::-1] }}{{ s|length }}{{ s.find('😀') }}{{ l[-2:] }}{{ l[9] }}", "😀éa32[1, 2]"),
                Arguments.of("{{ '٣'|int + ' 1_0'|int }} {{ '１.5'|float }} {{ 7 ** 2 }}", "13 1.5 49"),
                Arguments.of("{{ namespace(a=1) == namespace(a=1) }}{{ ' a  b '.split(none, 1) }}", "False['a', 'b ']"),
                Arguments.of(
                        "{{ ('1' * 100000 ~ 'x')|int }}{{ ('1' * 100000 ~ 'x')|float }}{{ ('a ' * 100000).split()|length }}",
                        "00.0100000"),
                Arguments.of("{{ [x] }}{{ (x.y is defined) if false }}{{ x|default('-') }}", "[Undefined]-"),
                Arguments.of(
                        "{{ 1e16 }} {{ 1e-7 }} {{ 0.1 + 0.2 }} {{ 123456789012345680.0 }}",
                        "1e+16 1e-07 0.30000000000000004 1.2345678901234568e+17"),
                Arguments.of("{{ l|sort(2147483647) }}{{ 'a b'.split(maxsplit=1) }}", "[3, 2, 1]['a', 'b']"),
                Arguments.of("{{ strftime_now('%d %b %Y, %A') }}", "01 Jul 2026, Wednesday"),
                Arguments.of(
                        "{{ {'b': 'é', 'a': [1.0, -0.0]}|tojson(indent=1, sort_keys=true) }}",
                        "{\n \"a\": [\n  1.0,\n  -0.0\n ],\n \"b\": \"é\"\n}"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("meanings")
    void aTemplateMeansWhatItMeansToJinja(String source, String expected) {
        assertThat(rendered(source)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{%-%}",
                "{{-}}",
                "{% if %}",
                "{% if 1 %}",
                "{% for %}",
                "{% endif %}",
                "{{ 1",
                "{{ 'a }}",
                "{{ (1] }}",
                "{# x",
                "{% raw %}",
                "{% unknown %}",
                "{{ x|unknown }}",
                "{{ x is unknown }}",
                "{% set 1 = 2 %}",
                "{% set x.y.z = 1 %}",
                "{% break %}",
                "{% for loop in l %}{% endfor %}",
                "{{ 1 is odd is even }}",
                "{{ f(a=1, 2) }}",
                "{{ '\\x4' }}",
                "{% include 'x' %}",
                "{% extends 'x' %}",
                "{% import 'x' as y %}",
                "{% macro m(a, a) %}{% endmacro %}",
                "{{ self }}",
                "{% for i in l %}{% macro m() %}{% continue %}{% endmacro %}{% endfor %}",
                "{{ }}",
                "{{ 1 2 }}",
                "{{ $ }}"
            })
    void aMalformedTemplateIsRefusedWithItsLine(String source) {
        assertThatThrownBy(() -> Template.parse("\n" + source))
                .isInstanceOf(TemplateError.class)
                .hasMessageStartingWith("line 2: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ x.y }}",
                "{{ l.append(1) }}",
                "{{ d.update({}) }}",
                "{{ ''.__class__.__mro__ }}",
                "{{ l() }}",
                "{{ 1 + 'a' }}",
                "{{ 1 / 0 }}",
                "{{ l|tojson(indent='x', more=1) }}",
                "{{ range(1000000) }}",
                "{{ 'a' * 1000000000 }}",
                "{{ x|tojson }}",
                "{{ 9 ** 99999999 }}",
                "{{ [{'²': 1}]|map(attribute='²')|list }}",
                "{{ 7 ** -2 }}{{ 0.5 ** 2 }}",
                "{{ 'abc'.zfill(5) }}",
                "{{ l|sort(12345678901234567890) }}",
                "{{ d.get('a', default=1) }}",
                "{{ 'a'.strip(chars='a') }}",
                "{{ 'a'.split(maxsplit=12345678901234567890) }}",
                "{{ {}.items() in {} }}",
                "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
                "{{ l|sort(attribute=1) > 1 }}",
                "{{ {[]: 1} }}",
                "{% set n = namespace(_x=1) %}",
                "{% set d.a = 1 %}",
                "{% for a, b in l %}{% endfor %}",
                "{{ '' * 12345678901234567890 }}",
                "{{ lipsum() }}"
            })
    void whatCannotBeEvaluatedIsRefused(String source) {
        Template template = Template.parse(source);

        assertThatThrownBy(() -> template.render(
                        new Variables().set("l", List.of(1, "b")).set("d", Map.of())))
                .isInstanceOf(TemplateError.class)
                .message()
                .doesNotContain("null", "java", "Exception");
    }

    @Test
    void aGenerationBlockIsMarkedWhereItIsWritten() {
        Marked made = Template.parse("a{% generation %}b{% set x = 1 %}{% endgeneration %}{{ x }}c")
                .render(new Variables());

        assertThat(made.text()).isEqualTo("abc");
        assertThat(made.spans()).containsExactly(new Marked.Span(1, 2, 0, 0, true));
    }

    @Test
    void namesAndBlocksAreKnownBeforeRendering() {
        Template template = Template.parse("{% if x %}{{ y.z }}{% endif %}{% set w = 1 %}");

        assertThat(template.reads()).containsExactlyInAnyOrder("x", "y");
        assertThat(template.hasGeneration()).isFalse();
    }
}
