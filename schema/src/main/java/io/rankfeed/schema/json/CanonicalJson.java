package io.rankfeed.schema.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * The one way to write a tree as bytes (docs/format/manifest.md, section 4): members sorted by code point, no escape
 * that RFC 8259 does not demand, integers only. Equal meaning is equal bytes.
 */
public final class CanonicalJson {
    private final StringBuilder out = new StringBuilder();
    private final boolean indented;

    private CanonicalJson(boolean indented) {
        this.indented = indented;
    }

    /** Returns the tree with an indentation of two spaces and a line end, as files have it. */
    public static byte[] indented(JsonNode tree) {
        CanonicalJson writer = new CanonicalJson(true);
        writer.node(tree, 0);
        return writer.out.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the tree without spaces and line ends. Identities are digests of these bytes. */
    public static byte[] compact(JsonNode tree) {
        return compactText(tree).getBytes(StandardCharsets.UTF_8);
    }

    public static String compactText(JsonNode tree) {
        CanonicalJson writer = new CanonicalJson(false);
        writer.node(tree, 0);
        return writer.out.toString();
    }

    /** Compares by code point, which is also the order of the UTF-8 bytes; {@code String.compareTo} is neither. */
    public static int compareCodePoints(String a, String b) {
        int at = 0;
        while (at < a.length() && at < b.length()) {
            int x = a.codePointAt(at);
            int y = b.codePointAt(at);
            if (x != y) {
                return Integer.compare(x, y);
            }
            at += Character.charCount(x);
        }
        return Integer.compare(a.length(), b.length());
    }

    private void node(JsonNode node, int depth) {
        if (node.isObject()) {
            List<String> names = new ArrayList<>();
            node.fieldNames().forEachRemaining(names::add);
            names.sort(CanonicalJson::compareCodePoints);
            container('{', '}', names.iterator(), depth, name -> {
                text(name);
                out.append(indented ? ": " : ":");
                node(node.path(name), depth + 1);
            });
        } else if (node.isArray()) {
            container('[', ']', node.elements(), depth, element -> node(element, depth + 1));
        } else if (node.isTextual()) {
            text(node.textValue());
        } else if (node.isIntegralNumber() || node.isBoolean() || node.isNull()) {
            out.append(node.asText());
        } else {
            throw new IllegalArgumentException("no canonical form for a " + node.getNodeType() + ": " + node
                    + "; fractions are written as strings");
        }
    }

    private interface Body<T> {
        void write(T item);
    }

    private <T> void container(char open, char close, Iterator<T> items, int depth, Body<T> body) {
        out.append(open);
        if (!items.hasNext()) {
            out.append(close);
            return;
        }
        while (items.hasNext()) {
            newline(depth + 1);
            body.write(items.next());
            if (items.hasNext()) {
                out.append(',');
            }
        }
        newline(depth);
        out.append(close);
    }

    private void newline(int depth) {
        if (indented) {
            out.append('\n').append("  ".repeat(depth));
        }
    }

    private void text(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> plain(value, i, c);
            }
        }
        out.append('"');
    }

    private void plain(String value, int at, char c) {
        if (c < 0x20) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            return;
        }
        boolean paired = Character.isHighSurrogate(c)
                ? at + 1 < value.length() && Character.isLowSurrogate(value.charAt(at + 1))
                : !Character.isLowSurrogate(c) || (at > 0 && Character.isHighSurrogate(value.charAt(at - 1)));
        if (!paired) {
            throw new IllegalArgumentException("half a surrogate pair at " + at + " has no UTF-8: " + value);
        }
        out.append(c);
    }
}
