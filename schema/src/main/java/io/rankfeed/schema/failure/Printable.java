package io.rankfeed.schema.failure;

/** Text out of a file, as it may be in a message: one line, ASCII, not long. */
public final class Printable {
    private static final int MAX_CHARS = 80;

    private Printable() {}

    public static String of(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), MAX_CHARS); i++) {
            char c = text.charAt(i);
            shown.append(c >= ' ' && c < 0x7F ? c : '?');
        }
        return text.length() > MAX_CHARS ? shown + "…" : shown.toString();
    }
}
