package io.rankfeed.schema.failure;

import java.util.Locale;

/** Escapes text from files, data and other processes, so that it can neither break a line nor control a terminal. */
public final class Printable {
    private static final int MAX_CHARS = 80;

    /** Marks of direction, and characters without width. */
    private static final String INVISIBLE = "\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff";

    /** The high surrogate of the tag characters, U+E0000 to U+E007F. */
    private static final char TAG_HIGH = 0xDB40;

    private Printable() {}

    /** A short quotation in a message: one line, ASCII, not long. */
    public static String of(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), MAX_CHARS); i++) {
            char c = text.charAt(i);
            shown.append(c >= ' ' && c < 0x7F ? c : '?');
        }
        return text.length() > MAX_CHARS ? shown + "…" : shown.toString();
    }

    /** Returns the text as one line: control characters and ends of lines are escaped as in JSON. */
    public static String line(String text) {
        return escaped(text, "");
    }

    /** Returns the text as {@link #line} does, but keeps ends of lines and tabs. */
    public static String lines(String text) {
        return escaped(text, "\n\t");
    }

    private static String escaped(String text, String kept) {
        int first = 0;
        while (first < text.length() && !isEscaped(text, first, kept)) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isEscaped(text, i, kept)) {
                shown.append(c);
            } else {
                switch (c) {
                    case '\n' -> shown.append("\\n");
                    case '\r' -> shown.append("\\r");
                    case '\t' -> shown.append("\\t");
                    default -> shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                }
            }
        }
        return shown.toString();
    }

    private static boolean isEscaped(String text, int at, String kept) {
        char c = text.charAt(at);
        return (isControl(c) && kept.indexOf(c) < 0)
                || (c == TAG_HIGH && at + 1 < text.length() && isTagLow(text.charAt(at + 1)))
                || (isTagLow(c) && at > 0 && text.charAt(at - 1) == TAG_HIGH);
    }

    /**
     * Whether it is a control character of ASCII or Latin-1, ends a line or paragraph, changes the direction of text,
     * or is invisible.
     */
    private static boolean isControl(char c) {
        return c < 0x20
                || (c >= 0x7F && c <= 0x9F)
                || (c >= 0x2028 && c <= 0x202E)
                || (c >= 0x2066 && c <= 0x2069)
                || INVISIBLE.indexOf(c) >= 0;
    }

    private static boolean isTagLow(char c) {
        return c >= 0xDC00 && c <= 0xDC7F;
    }
}
