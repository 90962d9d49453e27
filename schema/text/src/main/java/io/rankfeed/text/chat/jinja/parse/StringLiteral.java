package io.rankfeed.text.chat.jinja.parse;

import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.util.Locale;

/** The escapes of string literals, which are those of Python's codec {@code unicode-escape} over ASCII. */
public final class StringLiteral {
    private static final String SIMPLE = "\\'\"abfnrtv";
    private static final String MEANT = "\\'\"\u0007\b\f\n\r\t\u000b";

    private final String ascii;
    private final int line;
    private int at;

    private StringLiteral(String ascii, int line) {
        this.ascii = ascii;
        this.line = line;
    }

    /** @param written what is between the quotes */
    public static String value(String written, int line) {
        if (written.indexOf('\\') < 0) {
            return written;
        }
        StringBuilder ascii = new StringBuilder();
        // A backslash before another character than ASCII escapes the backslash of that character's escape.
        written.codePoints().forEach(point -> {
            if (point < 0x80) {
                ascii.append((char) point);
            } else {
                ascii.append(String.format(
                        Locale.ROOT, point < 0x100 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x", point));
            }
        });
        return new StringLiteral(ascii.toString(), line).decoded();
    }

    private String decoded() {
        StringBuilder out = new StringBuilder();
        while (at < ascii.length()) {
            char c = ascii.charAt(at++);
            if (c != '\\') {
                out.append(c);
            } else if (at == ascii.length()) {
                throw TemplateError.atLine(line, "a string ends with a backslash");
            } else {
                escape(ascii.charAt(at++), out);
            }
        }
        return out.toString();
    }

    private void escape(char c, StringBuilder out) {
        int simple = SIMPLE.indexOf(c);
        if (simple >= 0) {
            out.append(MEANT.charAt(simple));
        } else if (c >= '0' && c <= '7') {
            int value = c - '0';
            for (int i = 0; i < 2 && at < ascii.length() && "01234567".indexOf(ascii.charAt(at)) >= 0; i++) {
                value = 8 * value + ascii.charAt(at++) - '0';
            }
            out.append((char) value);
        } else if (c == 'x' || c == 'u' || c == 'U') {
            out.appendCodePoint(hexadecimal(c == 'x' ? 2 : c == 'u' ? 4 : 8));
        } else if (c == 'N') {
            out.appendCodePoint(named());
        } else if (c != '\n') {
            out.append('\\').append(c);
        }
    }

    private int hexadecimal(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = at < ascii.length() ? Character.digit(ascii.charAt(at++), 16) : -1;
            if (digit < 0 || value > Character.MAX_CODE_POINT >> 4) {
                throw TemplateError.atLine(line, "an escape in a string needs " + digits + " hexadecimal digits");
            }
            value = 16 * value + digit;
        }
        if (value > Character.MAX_CODE_POINT || (value >= 0xD800 && value < 0xE000)) {
            throw TemplateError.atLine(line, "an escape in a string is not a character");
        }
        return value;
    }

    private int named() {
        int end = ascii.indexOf('}', at);
        if (!ascii.startsWith("{", at) || end < 0) {
            throw TemplateError.atLine(line, "an escape in a string must be \\N{name}");
        }
        String name = ascii.substring(at + 1, end);
        at = end + 1;
        try {
            return Character.codePointOf(name);
        } catch (IllegalArgumentException e) {
            throw TemplateError.atLine(line, "no character is named '" + name + "'");
        }
    }
}
