package io.rankfeed.schema.failure;

import java.util.Locale;

/** Text out of files, data and other processes as it may be printed: it can neither break a line nor steer a terminal. */
public final class Printable {
    private static final int MAX_CHARS = 80;

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

    /** One line: control characters, ends of lines among them, escaped as in JSON. */
    public static String line(String text) {
        return escaped(text, "");
    }

    /** Lines: the same, but ends of lines and tabs stay. */
    public static String lines(String text) {
        return escaped(text, "\n\t");
    }

    private static String escaped(String text, String kept) {
        int first = 0;
        while (first < text.length() && !isEscaped(text.charAt(first), kept)) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isEscaped(c, kept)) {
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

    private static boolean isEscaped(char c, String kept) {
        return isControl(c) && kept.indexOf(c) < 0;
    }

    /** Controls of ASCII and Latin-1, ends of lines and paragraphs, and what turns the direction of text. */
    private static boolean isControl(char c) {
        return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    }
}
