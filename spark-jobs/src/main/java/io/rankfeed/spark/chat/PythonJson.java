package io.rankfeed.spark.chat;

import com.hubspot.jinjava.interpret.InterpretException;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.AdvancedFilter;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The filter {@code tojson}: JSON as Python's {@code json.dumps(value, ensure_ascii=False, indent=…)} writes it. */
final class PythonJson implements AdvancedFilter {
    private static final int MAX_INDENT = 16;

    @Override
    public String getName() {
        return PythonOperators.PREFIX + "tojson";
    }

    @Override
    public Object filter(
            @Nullable Object value, JinjavaInterpreter interpreter, Object[] args, Map<String, Object> named) {
        Object indent = args.length > 0 ? args[0] : named.get("indent");
        boolean isKnown = args.length <= 1
                && named.keySet().stream().allMatch(name -> name.equals("indent") || name.equals("ensure_ascii"));
        if (!isKnown || (indent != null && !(indent instanceof Number))) {
            throw new InterpretException("tojson: unsupported arguments " + named.keySet());
        }
        StringBuilder out = new StringBuilder();
        int width = indent == null ? -1 : Math.min(((Number) indent).intValue(), MAX_INDENT);
        write(value, out, width, 0);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out, int indent, int depth) {
        if (value instanceof Map<?, ?> map) {
            Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
            out.append('{');
            while (entries.hasNext()) {
                Map.Entry<?, ?> entry = entries.next();
                breakLine(out, indent, depth + 1);
                quote(String.valueOf(entry.getKey()), out);
                out.append(": ");
                write(entry.getValue(), out, indent, depth + 1);
                separate(entries, out, indent, depth);
            }
            out.append('}');
        } else if (value instanceof Collection<?> list) {
            Iterator<?> items = list.iterator();
            out.append('[');
            while (items.hasNext()) {
                breakLine(out, indent, depth + 1);
                write(items.next(), out, indent, depth + 1);
                separate(items, out, indent, depth);
            }
            out.append(']');
        } else if (value == null) {
            throw PythonValues.refused("tojson of a missing value");
        } else if (value instanceof PythonNone) {
            out.append("null");
        } else if (value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Double || value instanceof Float || value instanceof BigDecimal) {
            out.append(PythonText.real(((Number) value).doubleValue()));
        } else if (value instanceof Number) {
            out.append(value);
        } else if (value instanceof CharSequence) {
            quote(value.toString(), out);
        } else {
            throw PythonValues.refused("tojson of " + value.getClass().getSimpleName());
        }
    }

    private static void separate(Iterator<?> rest, StringBuilder out, int indent, int depth) {
        if (rest.hasNext()) {
            out.append(indent < 0 ? ", " : ",");
        } else {
            breakLine(out, indent, depth);
        }
    }

    private static void breakLine(StringBuilder out, int indent, int depth) {
        if (indent >= 0) {
            out.append('\n').append(" ".repeat(indent * depth));
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (c < ' ') {
                        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
