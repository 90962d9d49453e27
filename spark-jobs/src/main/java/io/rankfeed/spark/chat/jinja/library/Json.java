package io.rankfeed.spark.chat.jinja.library;

import io.rankfeed.spark.chat.jinja.value.Arguments;
import io.rankfeed.spark.chat.jinja.value.Budget;
import io.rankfeed.spark.chat.jinja.value.Dict;
import io.rankfeed.spark.chat.jinja.value.None;
import io.rankfeed.spark.chat.jinja.value.Numbers;
import io.rankfeed.spark.chat.jinja.value.Range;
import io.rankfeed.spark.chat.jinja.value.Run;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import io.rankfeed.spark.chat.jinja.value.Text;
import io.rankfeed.spark.chat.jinja.value.Values;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The filter {@code tojson} of transformers: JSON as Python's {@code json.dumps} writes it. Marks of texts are kept. */
public final class Json {
    private static final int MAX_INDENT = 64;

    private final boolean isAscii;
    /** Of a level; absent where the JSON has one line. */
    private final Optional<String> indent;

    private final String itemSeparator;
    private final String keySeparator;
    private final boolean isSorted;
    private final Budget budget;
    private final Text.Builder out = new Text.Builder();

    private Json(Arguments.Bound bound, Budget budget) {
        this.budget = budget;
        isAscii = bound.isTrue("ensure_ascii");
        isSorted = bound.isTrue("sort_keys");
        indent = indent(bound);
        if (bound.isNone("separators")) {
            itemSeparator = indent.isPresent() ? "," : ", ";
            keySeparator = ": ";
        } else {
            List<Object> both = Values.list(bound.get("separators"), budget);
            if (both.size() != 2 || !(both.get(0) instanceof Text item) || !(both.get(1) instanceof Text key)) {
                throw bound.wrong("separators", "two strings");
            }
            itemSeparator = item.toString();
            keySeparator = key.toString();
        }
    }

    public static Object tojson(Arguments arguments, Run run) {
        Arguments.Bound bound =
                arguments.bind("tojson", "value ensure_ascii=False indent=None separators=None sort_keys=False");
        Json json = new Json(bound, run.budget());
        json.write(bound.get("value"), 0);
        return json.out.text();
    }

    private static Optional<String> indent(Arguments.Bound bound) {
        if (bound.isNone("indent")) {
            return Optional.empty();
        } else if (bound.get("indent") instanceof Text text) {
            return Optional.of(text.toString());
        }
        int width = bound.index("indent");
        if (width > MAX_INDENT) {
            throw TemplateError.unsupported("an indent of more than " + MAX_INDENT);
        }
        return Optional.of(" ".repeat(Math.max(0, width)));
    }

    private void write(Object value, int depth) {
        budget.step();
        budget.allocate(16);
        Budget.requireDepth(depth);
        if (value instanceof Text text) {
            quote(text);
        } else if (value instanceof Boolean || value instanceof Long || value instanceof BigInteger) {
            out.append(value.toString());
        } else if (value instanceof Double real) {
            budget.steps(20);
            out.append(real(real));
        } else if (value == None.NONE) {
            out.append("null");
        } else if (value instanceof Dict dict) {
            members(dict, depth);
        } else if (value instanceof List<?> list && !(value instanceof Range)) {
            items(list, depth);
        } else {
            Values.requireDefined(value);
            throw TemplateError.of("tojson: a " + Values.typeName(value) + " cannot be written as JSON");
        }
    }

    private static String real(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        return Double.isInfinite(value) ? value > 0 ? "Infinity" : "-Infinity" : Numbers.written(value);
    }

    private void items(List<?> list, int depth) {
        if (list.isEmpty()) {
            out.append("[]");
            return;
        }
        out.append('[');
        Iterator<?> items = list.iterator();
        while (items.hasNext()) {
            breakLine(depth + 1);
            write(items.next(), depth + 1);
            out.append(items.hasNext() ? itemSeparator : "");
        }
        breakLine(depth);
        out.append(']');
    }

    private void members(Dict dict, int depth) {
        if (dict.size() == 0) {
            out.append("{}");
            return;
        }
        List<Dict.Entry> entries = List.copyOf(dict.entries());
        if (isSorted) {
            Comparator<Dict.Entry> byKey = (a, b) -> Values.isOrdered("<", a.key(), b.key(), budget)
                    ? -1
                    : Values.isOrdered("<", b.key(), a.key(), budget) ? 1 : 0;
            entries = entries.stream().sorted(byKey).toList();
        }
        out.append('{');
        Iterator<Dict.Entry> rest = entries.iterator();
        while (rest.hasNext()) {
            Dict.Entry entry = rest.next();
            breakLine(depth + 1);
            quote(key(entry.key()));
            out.append(keySeparator);
            write(entry.value(), depth + 1);
            out.append(rest.hasNext() ? itemSeparator : "");
        }
        breakLine(depth);
        out.append('}');
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
        throw TemplateError.of("tojson: a " + Values.typeName(key) + " cannot be a key of JSON");
    }

    private void breakLine(int depth) {
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
