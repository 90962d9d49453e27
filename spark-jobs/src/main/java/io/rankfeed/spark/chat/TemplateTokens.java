package io.rankfeed.spark.chat;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tokens of an expression or of the head of a statement of Jinja, read one after another. */
final class TemplateTokens {
    static final Map<String, String> CONSTANTS = Map.of(
            "true",
            "true",
            "True",
            "true",
            "false",
            "false",
            "False",
            "false",
            "none",
            TemplateExpression.NONE,
            "None",
            TemplateExpression.NONE);
    static final Set<String> KEYWORDS = Set.of("and", "or", "not", "in", "is", "if", "else", "elif", "recursive");

    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(?<name>[A-Za-z_][A-Za-z0-9_]*)"
                    + "|(?<number>[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
                    + "|(?<text>'[^'\\\\]*+(?:\\\\.[^'\\\\]*+)*+'|\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\")"
                    + "|(?<sign>==|!=|<=|>=|//|\\*\\*|[-+*/%~<>()\\[\\]{}|.,:=]))",
            Pattern.DOTALL);

    /** The engine's time grows with the square of an expression's operators. Published templates have up to 46 tokens. */
    private static final int MAX_TOKENS = 500;

    record Token(String kind, String text) {}

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    TemplateTokens(String source) throws ChatException {
        this.source = source.strip();
        Matcher matcher = TOKEN.matcher(this.source);
        int end = 0;
        while (end < this.source.length()) {
            if (!matcher.find(end) || matcher.start() != end) {
                throw unsupported();
            }
            for (String kind : List.of("name", "number", "text", "sign")) {
                if (matcher.group(kind) != null) {
                    tokens.add(new Token(kind, matcher.group(kind)));
                }
            }
            end = matcher.end();
            if (tokens.size() > MAX_TOKENS) {
                throw unsupported();
            }
        }
        tokens.add(new Token("end", ""));
    }

    Token peek() {
        return tokens.get(at);
    }

    /** Reads a token. Behind the last one there are only ends. */
    Token next() {
        return tokens.get(at < tokens.size() - 1 ? at++ : at);
    }

    /** The token behind the next one. */
    Token after() {
        return tokens.get(Math.min(at + 1, tokens.size() - 1));
    }

    void end() throws ChatException {
        if (!peek().kind().equals("end")) {
            throw unsupported();
        }
    }

    boolean isNext(String text) {
        Token token = peek();
        return token.text().equals(text) && !token.kind().equals("text");
    }

    boolean skip(String text) {
        if (isNext(text)) {
            at++;
            return true;
        }
        return false;
    }

    void expect(String text) throws ChatException {
        if (!skip(text)) {
            throw unsupported();
        }
    }

    /** A name that is written to. */
    String name() throws ChatException {
        Token token = next();
        boolean isFree = token.kind().equals("name")
                && !KEYWORDS.contains(token.text())
                && !CONSTANTS.containsKey(token.text())
                && !token.text().startsWith(PythonOperators.PREFIX)
                && !token.text().startsWith("__");
        if (!isFree) {
            throw unsupported();
        }
        return token.text();
    }

    ChatException unsupported() {
        return new ChatException("the chat template has an unsupported expression: "
                + (source.length() > 80 ? source.substring(0, 80) + " …" : source));
    }

    /** The value of a string literal, which stands here with its quotes. */
    String decoded(String literal) throws ChatException {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < literal.length() - 1; i++) {
            char c = literal.charAt(i);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char escaped = literal.charAt(++i);
            int digits = escaped == 'x' ? 2 : escaped == 'u' ? 4 : 0;
            if (digits > 0) {
                text.append(
                        hexadecimal(literal.substring(i + 1, Math.min(i + 1 + digits, literal.length() - 1)), digits));
                i += digits;
                continue;
            }
            switch (escaped) {
                case 'n' -> text.append('\n');
                case 't' -> text.append('\t');
                case 'r' -> text.append('\r');
                case '\\', '\'', '"' -> text.append(escaped);
                default -> throw unsupported();
            }
        }
        return text.toString();
    }

    private char hexadecimal(String digits, int count) throws ChatException {
        if (digits.length() != count || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            throw unsupported();
        }
        return (char) HexFormat.fromHexDigits(digits);
    }
}
