package io.rankfeed.spark.chat.jinja.value;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** Writes values as Python's {@code repr} does; marks of texts are kept. */
public final class Repr {
    private final Budget budget;
    private final Text.Builder out = new Text.Builder();

    public Repr(Budget budget) {
        this.budget = budget;
    }

    public Text of(Object value) {
        write(value, 0);
        budget.allocate(out.length());
        return out.text();
    }

    private void write(Object value, int depth) {
        budget.step();
        budget.allocate(16);
        Budget.requireDepth(depth);
        if (value instanceof Text text) {
            if (text.isSafe()) {
                throw TemplateError.unsupported("writing a list of safe texts");
            }
            budget.allocate(text.length());
            out.append(text.replaced(quoted(text.toString())));
        } else if (value instanceof Boolean bool) {
            out.append(bool ? "True" : "False");
        } else if (value instanceof Double real) {
            budget.steps(20);
            out.append(Numbers.written(real));
        } else if (value == None.NONE) {
            out.append("None");
        } else if (value instanceof Undefined) {
            out.append("Undefined");
        } else if (value instanceof Number || value instanceof Range) {
            out.append(value.toString());
        } else if (value instanceof Tuple tuple) {
            items("(", tuple.iterator(), tuple.size() == 1 ? ",)" : ")", depth);
        } else if (value instanceof List<?> list) {
            items("[", list.iterator(), "]", depth);
        } else if (value instanceof View view) {
            items(view.kind() + "([", view.list().iterator(), "])", depth);
        } else if (value instanceof Dict dict) {
            members(dict, depth);
        } else if (value instanceof Namespace space) {
            Dict attributes = new Dict();
            space.attributes().forEach((name, attribute) -> attributes.put(Text.of(name), attribute));
            out.append("<Namespace ");
            members(attributes, depth);
            out.append('>');
        } else if (value instanceof LoopContext loop) {
            out.append("<LoopContext " + loop.index() + "/" + loop.length() + ">");
        } else {
            throw TemplateError.unsupported("the text of a " + Values.typeName(value));
        }
    }

    private void members(Dict dict, int depth) {
        out.append('{');
        String separator = "";
        for (Dict.Entry entry : dict.entries()) {
            out.append(separator);
            write(entry.key(), depth + 1);
            out.append(": ");
            write(entry.value(), depth + 1);
            separator = ", ";
        }
        out.append('}');
    }

    private void items(String begin, Iterator<?> items, String end, int depth) {
        out.append(begin);
        while (items.hasNext()) {
            write(items.next(), depth + 1);
            if (items.hasNext()) {
                out.append(", ");
            }
        }
        out.append(end);
    }

    public static String quoted(String text) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        StringBuilder quoted = new StringBuilder().append(quote);
        text.codePoints().forEach(point -> {
            if (point == quote || point == '\\') {
                quoted.append('\\').append((char) point);
            } else if (point == '\n') {
                quoted.append("\\n");
            } else if (point == '\r') {
                quoted.append("\\r");
            } else if (point == '\t') {
                quoted.append("\\t");
            } else if (isPrintable(point)) {
                quoted.appendCodePoint(point);
            } else {
                String format = point < 0x100 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x";
                quoted.append(String.format(Locale.ROOT, format, point));
            }
        });
        return quoted.append(quote).toString();
    }

    private static boolean isPrintable(int point) {
        if (point < 0x7F) {
            return point >= ' ';
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
