package io.rankfeed.text.chat.jinja;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Templates whose values, work or depth grow are refused soon. */
class TemplateLimitsTest {
    static Stream<String> growing() {
        String range = "{% for i in range(40) %}";
        String doubled = "{% set n = namespace(v=['a']) %}" + range;
        String shared = "{% set n = namespace(v=[1]) %}" + range + "{% set n.v = [n.v, n.v] %}{% endfor %}";
        return Stream.of(
                "{% set n = namespace(v='a') %}" + range + "{% set n.v = n.v + n.v %}{% endfor %}",
                "{% set n = namespace(v='a') %}" + range + "{% set n.v = n.v ~ n.v %}{% endfor %}",
                "{% set n = namespace(v='a') %}" + range + "{% set n.v = n.v.replace('a', 'aa') %}{% endfor %}",
                "{% set n = namespace(v='a') %}" + range + "{% set n.v = n.v|replace('', 'aa') %}{% endfor %}",
                "{% set n = namespace(v='a') %}" + range + "{% set n.v = [n.v, n.v]|join %}{% endfor %}",
                doubled + "{% set n.v = n.v + n.v %}{% endfor %}",
                doubled + "{% set n.v = n.v * 2 %}{% endfor %}",
                doubled + "{% set n.v = (n.v|list) + n.v %}{% endfor %}",
                shared + "{{ n.v == [n.v[0], n.v[1]] }}{% set m = namespace(v=[1]) %}" + range
                        + "{% set m.v = [m.v, m.v] %}{% endfor %}{{ m.v == n.v }}",
                shared + "{{ n.v|tojson }}",
                shared + "{{ n.v|tojson(indent=4) }}",
                shared + "{{ n.v }}",
                shared + "{{ n.v|string|length }}",
                shared + "{{ [n.v, n.v]|sort }}",
                shared + "{{ n.v in [n.v] }}{{ [n.v] in [[n.v[0]]] }}{{ n.v < [n.v[0], [n.v[1]]] }}",
                "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in l %}{% endfor %}{% endfor %}{% endfor %}",
                "{% for a in range(99999) %}{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaa' * 999 }}{% endfor %}",
                "{% macro m(n) %}{{ m(n - 1) }}{{ m(n - 1) }}{% endmacro %}{{ m(90) }}",
                "{{ (range(99999)|list)|batch(1, 'x')|map('batch', 99999999, 'x')|map('list')|list }}",
                "{{ '%999999s' % 1 * 999 }}{{ '%999999999s' % 1 }}",
                "{% set n = namespace(v=(1,)) %}" + range + "{% set n.v = (n.v, n.v) %}{% endfor %}{{ n.v in {} }}",
                "{% set n = namespace(v='a' * 1000000) %}" + range
                        + "{% set n.v = n.v|upper ~ n.v.lower() %}{% endfor %}",
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
}
