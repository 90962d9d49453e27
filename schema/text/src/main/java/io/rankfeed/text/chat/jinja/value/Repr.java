package io.rankfeed.text.chat.jinja.value;

import java.util.List;
import java.util.Locale;

/** Writes values as Python's {@code repr} does. */
public final class Repr extends Writer {
    public Repr(Budget budget) {
        super(budget, ", ", ": ");
    }

    public Text of(Object value) {
        write(value, 0);
        budget.allocate(out.length());
        return out.text();
    }

    @Override
    protected void writeKey(Object key, int depth) {
        write(key, depth);
    }

    @Override
    protected void writeValue(Object value, int depth) {
        if (value instanceof Text text) {
            if (text.isSafe()) {
                throw TemplateError.unsupported("writing a list of safe texts");
            }
            budget.allocate(text.length());
            out.append(text.replaced(quoted(text.toString())));
        } else if (value instanceof Boolean bool) {
            out.append(bool ? "True" : "False");
        } else if (value instanceof Double real) {
            out.append(Numbers.written(real));
        } else if (value == None.NONE) {
            out.append("None");
        } else if (value instanceof Undefined) {
            out.append("Undefined");
        } else if (value instanceof Number || value instanceof Range) {
            out.append(value.toString());
        } else if (value instanceof Tuple tuple) {
            items("(", tuple, tuple.size() == 1 ? ",)" : ")", depth);
        } else if (value instanceof List<?> list) {
            items("[", list, "]", depth);
        } else if (value instanceof View view) {
            items(view.kind() + "([", view.list(), "])", depth);
        } else if (value instanceof Dict dict) {
            items("{", dict.entries(), "}", depth);
        } else if (value instanceof Namespace space) {
            Dict attributes = new Dict();
            space.attributes().forEach((name, attribute) -> attributes.put(Text.of(name), attribute));
            out.append("<Namespace ");
            items("{", attributes.entries(), "}", depth);
            out.append('>');
        } else if (value instanceof LoopContext loop) {
            out.append("<LoopContext " + loop.index() + "/" + loop.length() + ">");
        } else {
            throw TemplateError.unsupported("the text of a value of type " + Values.typeName(value));
        }
    }

    private static String quoted(String text) {
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
