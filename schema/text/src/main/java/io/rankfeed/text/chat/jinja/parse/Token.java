package io.rankfeed.text.chat.jinja.parse;

/**
 * A token.
 *
 * @param text a name, an operator, or the characters of data; of a string literal what it means
 * @param value of a number literal: a Long, BigInteger or Double; else the text
 * @param line from 1
 */
public record Token(Type type, String text, Object value, int line) {
    public enum Type {
        DATA("text"),
        VARIABLE_BEGIN("{{"),
        VARIABLE_END("}}"),
        BLOCK_BEGIN("{%"),
        BLOCK_END("%}"),
        NAME("a name"),
        STRING("a string"),
        INTEGER("an integer"),
        FLOAT("a number"),
        OPERATOR("an operator"),
        END("the end of the template");

        private final String shown;

        Type(String shown) {
            this.shown = shown;
        }

        @Override
        public String toString() {
            return shown;
        }
    }

    /** Whether it is this name or operator. */
    public boolean is(String word) {
        return isWord() && text.equals(word);
    }

    public boolean isWord() {
        return type == Type.NAME || type == Type.OPERATOR;
    }

    @Override
    public String toString() {
        return isWord() ? "'" + text + "'" : type.toString();
    }
}
