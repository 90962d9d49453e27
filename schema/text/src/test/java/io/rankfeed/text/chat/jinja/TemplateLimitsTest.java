package io.rankfeed.text.chat.jinja;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Templates whose values, work or depth grow are refused soon. */
class TemplateLimitsTest {
    private static final String RANGE = "{% for i in range(40) %}";
    private static final String DOUBLED = "{% set n = namespace(v=['a']) %}" + RANGE;
    private static final String SHARED =
            "{% set n = namespace(v=[1]) %}" + RANGE + "{% set n.v = [n.v, n.v] %}{% endfor %}";

    static Stream<String> growing() {
        return Stream.of(
                "{% set n = namespace(v='a') %}" + RANGE + "{% set n.v = n.v + n.v %}{% endfor %}",
                "{% set n = namespace(v='a') %}" + RANGE + "{% set n.v = n.v ~ n.v %}{% endfor %}",
                "{% set n = namespace(v='a') %}" + RANGE + "{% set n.v = n.v.replace('a', 'aa') %}{% endfor %}",
                "{% set n = namespace(v='a') %}" + RANGE + "{% set n.v = n.v|replace('', 'aa') %}{% endfor %}",
                "{% set n = namespace(v='a') %}" + RANGE + "{% set n.v = [n.v, n.v]|join %}{% endfor %}",
                DOUBLED + "{% set n.v = n.v + n.v %}{% endfor %}",
                SHARED + "{{ n.v == [n.v[0], n.v[1]] }}{% set m = namespace(v=[1]) %}" + RANGE
                        + "{% set m.v = [m.v, m.v] %}{% endfor %}{{ m.v == n.v }}",
                SHARED + "{{ n.v|tojson(indent=4) }}",
                SHARED + "{{ n.v }}",
                SHARED + "{{ n.v|string|length }}",
                SHARED + "{{ [n.v, n.v]|sort }}",
                SHARED + "{{ n.v in [n.v] }}{{ [n.v] in [[n.v[0]]] }}{{ n.v < [n.v[0], [n.v[1]]] }}",
                "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in l %}{% endfor %}{% endfor %}{% endfor %}",
                "{% for a in range(99999) %}{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaa' * 999 }}{% endfor %}",
                "{% macro m(n) %}{{ m(n - 1) }}{{ m(n - 1) }}{% endmacro %}{{ m(90) }}",
                "{{ (range(99999)|list)|batch(1, 'x')|map('batch', 99999999, 'x')|map('list')|list }}",
                "{{ '%999999s' % 1 * 999 }}{{ '%999999999s' % 1 }}",
                "{% set n = namespace(v=(1,)) %}" + RANGE + "{% set n.v = (n.v, n.v) %}{% endfor %}{{ n.v in {} }}",
                "{% set t = 'a' * 10000000 %}{% for i in range(99999) %}{{ t == t ~ '' }}{{ t.find('b') }}{% endfor %}",
                "{% set x = 'a' * 1000000 %}{{ 'a' * 200000 ~ 'c' in x }}{{ x.find('a' * 200000 ~ 'c') }}",
                "{% set x = 'a' * 4000000 %}{{ x|list|length }}",
                "{{ ([1] * 4000000)|batch(1)|list|length }}",
                "{{ " + "(".repeat(10_000) + "1" + ")".repeat(10_000) + " }}",
                "{{ " + "not ".repeat(10_000) + "1 }}",
                "{{ " + "- ".repeat(10_000) + "1 }}",
                "{{ " + "1 or ".repeat(10_000) + "1 }}",
                "{{ " + "1 if 1 else ".repeat(10_000) + "1 }}",
                "{{ 1" + "|string".repeat(10_000) + " }}",
                "{{ x" + "[0]".repeat(10_000) + " }}",
                "{{ " + "[".repeat(10_000) + " }}",
                "{% if 1 %}".repeat(10_000) + "{% endif %}".repeat(10_000));
    }

    /** Slower ways to the same limits. */
    static Stream<String> growingSlowly() {
        return Stream.of(
                DOUBLED + "{% set n.v = n.v * 2 %}{% endfor %}",
                DOUBLED + "{% set n.v = (n.v|list) + n.v %}{% endfor %}",
                SHARED + "{{ n.v|tojson }}",
                "{% set n = namespace(v='a' * 1000000) %}" + RANGE
                        + "{% set n.v = n.v|upper ~ n.v.lower() %}{% endfor %}");
    }

    /** Together far below two seconds each; a defect takes minutes. */
    @ParameterizedTest(name = "{index}")
    @MethodSource("growing")
    @Timeout(300)
    void whatGrowsWithoutEndIsRefused(String source) {
        assertThatThrownBy(() -> {
                    Template template = Template.parse(source);
                    template.render(new Variables().set("l", List.of(1, 2)));
                })
                .isInstanceOf(TemplateError.class);
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("growingSlowly")
    @Tag("nightly")
    void whatGrowsSlowlyIsRefused(String source) {
        whatGrowsWithoutEndIsRefused(source);
    }
}
