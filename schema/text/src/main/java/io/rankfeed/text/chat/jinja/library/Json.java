package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.None;
import io.rankfeed.text.chat.jinja.value.Numbers;
import io.rankfeed.text.chat.jinja.value.Range;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Values;
import io.rankfeed.text.chat.jinja.value.Writer;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The filter {@code tojson} of transformers: JSON as Python's {@code json.dumps} writes it. */
final class Json extends Writer {
    static final String PARAMETERS = "value ensure_ascii=False indent=None separators=None sort_keys=False";
    private static final int MAX_INDENT = 64;

    private final boolean isAscii;
    private final boolean isSorted;
    /** The indentation of one level; empty if the JSON is on one line. */
    private final Optional<String> indent;

    private Json(Arguments.Bound bound, Optional<String> indent, List<Object> separators) {
        super(bound.budget(), separators.get(0).toString(), separators.get(1).toString());
        isAscii = bound.isTrue("ensure_ascii");
        isSorted = bound.isTrue("sort_keys");
        this.indent = indent;
    }

    static Object tojson(Arguments.Bound bound) {
        Optional<String> indent = indent(bound);
        List<Object> separators = List.of(indent.isPresent() ? "," : ", ", ": ");
        if (!bound.isNone("separators")) {
            separators = Values.list(bound.get("separators"), bound.budget());
            if (separators.size() != 2 || !separators.stream().allMatch(Text.class::isInstance)) {
                throw bound.wrong("separators", "two str");
            }
        }
        Json json = new Json(bound, indent, separators);
        json.write(bound.value(), 0);
        return json.out.text();
    }

    private static Optional<String> indent(Arguments.Bound bound) {
        if (bound.isNone("indent")) {
            return Optional.empty();
        } else if (bound.get("indent") instanceof Text text) {
            if (text.isSafe()) {
                throw TemplateError.unsupported("an indent that is marked as safe in the filter 'tojson'");
            }
            return Optional.of(text.toString());
        }
        int width = bound.index("indent");
        if (width > MAX_INDENT) {
            throw TemplateError.unsupported("an indent of more than " + MAX_INDENT + " spaces in the filter 'tojson'");
        }
        return Optional.of(" ".repeat(Math.max(0, width)));
    }

    @Override
    protected void writeValue(Object value, int depth) {
        if (value instanceof Text text) {
            quote(text);
        } else if (value instanceof Boolean || value instanceof Long || value instanceof BigInteger) {
            out.append(value.toString());
        } else if (value instanceof Double real) {
            out.append(real(real));
        } else if (value == None.NONE) {
            out.append("null");
        } else if (value instanceof Dict dict) {
            items("{", isSorted ? sorted(dict) : dict.entries(), "}", depth);
        } else if (value instanceof List<?> list && !(value instanceof Range)) {
            items("[", list, "]", depth);
        } else {
            Values.requireDefined(value);
            throw TemplateError.of("the filter 'tojson' cannot write a value of type " + Values.typeName(value));
        }
    }

    private static String real(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        return Double.isInfinite(value) ? value > 0 ? "Infinity" : "-Infinity" : Numbers.written(value);
    }

    private List<Dict.Entry> sorted(Dict dict) {
        return dict.entries().stream()
                .sorted(Comparator.comparing(Dict.Entry::key, Key.order(false, budget)))
                .toList();
    }

    @Override
    protected void writeKey(Object key, int depth) {
        quote(key(key));
    }

    private static Text key(Object key) {
        if (key instanceof Text text) {
            return text;
        } else if (key instanceof Boolean || key instanceof Long || key instanceof BigInteger) {
            return Text.of(key.toString());
        } else if (key instanceof Double real) {
            return Text.of(real(real));
        } else if (key == None.NONE) {
            return Text.of("null");
        }
        throw TemplateError.of(
                "the filter 'tojson' cannot write a value of type " + Values.typeName(key) + " as a key");
    }

    @Override
    protected void breakLine(int depth) {
        indent.ifPresent(text -> {
            budget.allocate((long) text.length() * depth + 1);
            out.append('\n').append(text.repeat(depth));
        });
    }

    private void quote(Text text) {
        budget.allocate(text.length() + 2L);
        out.append('"');
        String chars = text.toString();
        int begin = 0;
        for (int i = 0; i < chars.length(); i++) {
            char c = chars.charAt(i);
            boolean isEscaped = c == '"' || c == '\\' || c < ' ' || (isAscii && c > '~');
            if (isEscaped) {
                out.append(text, begin, i);
                out.append(text.slice(i, i + 1).replaced(escape(c)));
                begin = i + 1;
            }
        }
        out.append(text, begin, chars.length()).append('"');
    }

    private static String escape(char c) {
        return switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            default -> String.format(Locale.ROOT, "\\u%04x", (int) c);
        };
    }
}
