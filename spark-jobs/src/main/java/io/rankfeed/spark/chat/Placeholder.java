package io.rankfeed.spark.chat;

/** The text that refers to an image, and its literal form: with a word joiner, so that no tokenizer reads the token of an image. */
final class Placeholder {
    /** U+2060, zero width. */
    private static final String WORD_JOINER = "\u2060";

    private final String placeholder;
    private final String text;
    private final String literal;
    private int taken;
    private boolean inTextPart;

    /** @param placeholder spaces around it are written for image parts, but ignored in a search */
    Placeholder(String placeholder) {
        this.placeholder = placeholder;
        this.text = placeholder.strip();
        int second = text.offsetByCodePoints(0, 1);
        this.literal = text.substring(0, second) + WORD_JOINER + text.substring(second);
    }

    String text() {
        return text;
    }

    String ofPart() {
        taken++;
        return placeholder;
    }

    /** The text of a text part, which never refers to an image. */
    String literal(String said) {
        inTextPart |= said.contains(text);
        return said.replace(text, literal);
    }

    /** Whether a text part contained the text of an image. */
    boolean inTextPart() {
        return inTextPart;
    }

    /** The text of a plain content: each placeholder is an image, unless it is escaped by a backslash, which is removed. */
    String unescaped(String said) {
        StringBuilder read = new StringBuilder();
        int from = 0;
        for (int at = said.indexOf(text); at >= 0; at = said.indexOf(text, from)) {
            boolean escaped = at > from && said.charAt(at - 1) == '\\';
            read.append(said, from, escaped ? at - 1 : at).append(escaped ? literal : text);
            taken += escaped ? 0 : 1;
            from = at + text.length();
        }
        return read.append(said, from, said.length()).toString();
    }

    /** The number of images since the last call. */
    int taken() {
        int since = taken;
        taken = 0;
        return since;
    }
}
