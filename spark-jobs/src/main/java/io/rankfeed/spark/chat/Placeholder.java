package io.rankfeed.spark.chat;

/** The text of an image, and the same text where it is none: with a word joiner in it, which no tokenizer takes for the token. */
final class Placeholder {
    /** U+2060, of no width. */
    private static final String WORD_JOINER = "\u2060";

    private final String placeholder;
    private final String text;
    private final String literal;
    private int taken;
    private boolean inTextPart;

    /** @param placeholder spaces around it are written for image parts, and not searched for */
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

    /** Of a text part: none of it is an image. */
    String literal(String said) {
        inTextPart |= said.contains(text);
        return said.replace(text, literal);
    }

    /** Whether a text part had the text. */
    boolean inTextPart() {
        return inTextPart;
    }

    /** Of a plain content: images, but those after a backslash, which is left out. */
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

    /** Images since the last call. */
    int taken() {
        int since = taken;
        taken = 0;
        return since;
    }
}
