package io.rankfeed.spark.chat.jinja.parse;

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

    public boolean isName(String name) {
        return type == Type.NAME && text.equals(name);
    }

    public boolean isOperator(String operator) {
        return type == Type.OPERATOR && text.equals(operator);
    }

    @Override
    public String toString() {
        return type == Type.NAME || type == Type.OPERATOR ? "'" + text + "'" : type.toString();
    }
}
