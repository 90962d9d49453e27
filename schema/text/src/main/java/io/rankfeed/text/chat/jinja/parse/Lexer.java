package io.rankfeed.text.chat.jinja.parse;

import io.rankfeed.text.chat.jinja.value.Numbers;
import io.rankfeed.text.chat.jinja.value.PythonStr;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Splits a template into tokens, with {@code trim_blocks} (a newline after a block or a comment is removed) and
 * {@code lstrip_blocks} (so is the space before them on their line).
 */
public final class Lexer {
    private static final Pattern FLOAT = Pattern.compile(
            "(?<!\\.)(?:[0-9]+_)*[0-9]+(?:(?:\\.(?:[0-9]+_)*[0-9]+)?[eE][+-]?(?:[0-9]+_)*[0-9]+|\\.(?:[0-9]+_)*[0-9]+)");
    private static final Pattern INTEGER =
            Pattern.compile("0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[0-9a-fA-F])+|[1-9](?:_?[0-9])*|0(?:_?0)*");
    private static final Pattern OPERATOR = Pattern.compile("//|\\*\\*|==|!=|>=|<=|[-+/*%~\\[\\](){}><=.:|,;]");
    private static final String SPACE = "[" + PythonStr.SPACE + "]*";
    private static final Pattern RAW =
            Pattern.compile("\\{%([-+]?)" + SPACE + "raw" + SPACE + "(?:-%\\}" + SPACE + "|%\\})");
    private static final Pattern ENDRAW =
            Pattern.compile("\\{%([-+]?)" + SPACE + "endraw" + SPACE + "(?:\\+%\\}|-%\\}" + SPACE + "|%\\}\\n?)");
    private static final Map<String, Integer> RADIX = Map.of("0b", 2, "0o", 8, "0x", 16);

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;
    private int lineAt;

    private Lexer(String source) {
        this.source = source;
    }

    /** Returns the tokens of a template. Line ends become LF, and one at the end is removed, as in Jinja. */
    public static List<Token> tokens(String template) {
        String lines = template.replace("\r\n", "\n").replace('\r', '\n');
        Lexer lexer = new Lexer(lines.endsWith("\n") ? lines.substring(0, lines.length() - 1) : lines);
        lexer.run();
        return lexer.tokens;
    }

    private void run() {
        while (at < source.length()) {
            int begin = nextTag();
            if (begin < 0) {
                add(Token.Type.DATA, source.substring(at));
                at = source.length();
                break;
            }
            Matcher raw = RAW.matcher(source).region(begin, source.length());
            if (raw.lookingAt()) {
                data(begin, raw.group(1), true);
                at = raw.end();
                raw();
                continue;
            }
            char kind = source.charAt(begin + 1);
            char sign = begin + 2 < source.length() ? source.charAt(begin + 2) : ' ';
            boolean isSigned = sign == '-' || sign == '+';
            data(begin, isSigned ? String.valueOf(sign) : "", kind != '{');
            at = begin + (isSigned ? 3 : 2);
            switch (kind) {
                case '#' -> comment();
                case '%' -> code(Token.Type.BLOCK_BEGIN, Token.Type.BLOCK_END);
                default -> code(Token.Type.VARIABLE_BEGIN, Token.Type.VARIABLE_END);
            }
        }
        add(Token.Type.END, "");
    }

    private int nextTag() {
        for (int i = source.indexOf('{', at); i >= 0 && i + 1 < source.length(); i = source.indexOf('{', i + 1)) {
            if ("{%#".indexOf(source.charAt(i + 1)) >= 0) {
                return i;
            }
        }
        return -1;
    }

    /** The text before a tag, without what the tag's sign or {@code lstrip_blocks} removes. */
    private void data(int end, String sign, boolean isBlock) {
        String text = source.substring(at, end);
        if (sign.equals("-")) {
            text = PythonStr.stripEnd(text);
        } else if (sign.isEmpty() && isBlock) {
            int begin = text.lastIndexOf('\n') + 1;
            boolean isAtLine = begin > 0 || at == 0 || source.charAt(at - 1) == '\n';
            if (isAtLine && PythonStr.stripEnd(text.substring(begin)).isEmpty()) {
                text = text.substring(0, begin);
            }
        }
        if (!text.isEmpty()) {
            add(Token.Type.DATA, text);
        }
    }

    private void raw() {
        Matcher end = ENDRAW.matcher(source);
        if (!end.find(at)) {
            throw failure("'endraw' is missing after 'raw'");
        }
        data(end.start(), end.group(1), true);
        at = end.end();
    }

    private void comment() {
        int end = source.indexOf("#}", at);
        if (end < 0) {
            throw failure("the end '#}' of a comment is missing");
        }
        char sign = end > at ? source.charAt(end - 1) : ' ';
        at = end + 2;
        skipAfterTag(sign, true);
    }

    /** Skips the space that the sign of a tag's end, or {@code trim_blocks}, removes. */
    private void skipAfterTag(char sign, boolean trims) {
        if (sign == '-') {
            while (at < source.length() && PythonStr.SPACE.indexOf(source.charAt(at)) >= 0) {
                at++;
            }
        } else if (sign != '+' && trims && at < source.length() && source.charAt(at) == '\n') {
            at++;
        }
    }

    private void code(Token.Type begin, Token.Type end) {
        boolean isBlock = begin == Token.Type.BLOCK_BEGIN;
        String close = isBlock ? "%}" : "}}";
        add(begin, "");
        Deque<Character> open = new ArrayDeque<>();
        while (true) {
            while (at < source.length() && PythonStr.SPACE.indexOf(source.charAt(at)) >= 0) {
                at++;
            }
            if (at >= source.length()) {
                throw failure("the template ends within a tag; '" + close + "' is missing");
            }
            if (isEnd(close, isBlock, open)) {
                char sign = source.charAt(at);
                add(end, "");
                at += sign == close.charAt(0) ? 2 : 3;
                skipAfterTag(sign, isBlock);
                return;
            }
            token(open);
        }
    }

    private boolean isEnd(String close, boolean isBlock, Deque<Character> open) {
        return open.isEmpty()
                && (source.startsWith(close, at)
                        || source.startsWith("-" + close, at)
                        || (isBlock && source.startsWith("+" + close, at)));
    }

    private void token(Deque<Character> open) {
        char first = source.charAt(at);
        String text = match(FLOAT);
        if (text != null) {
            tokens.add(new Token(Token.Type.FLOAT, text, Double.valueOf(text.replace("_", "")), line()));
        } else if ((text = match(INTEGER)) != null) {
            tokens.add(new Token(Token.Type.INTEGER, text, integer(text.replace("_", "")), line()));
        } else if (first == '_' || Character.isUnicodeIdentifierStart(source.codePointAt(at))) {
            text = name();
            add(Token.Type.NAME, text);
        } else if (first == '\'' || first == '"') {
            int end = stringEnd(first);
            add(Token.Type.STRING, StringLiteral.value(source.substring(at + 1, end), line()));
            text = source.substring(at, end + 1);
        } else if ((text = match(OPERATOR)) != null) {
            balance(text.charAt(0), open);
            add(Token.Type.OPERATOR, text);
        } else {
            throw failure("unexpected character '" + Character.toString(source.codePointAt(at)) + "'");
        }
        at += text.length();
    }

    private void balance(char operator, Deque<Character> open) {
        int opening = "([{".indexOf(operator);
        if (opening >= 0) {
            open.push(")]}".charAt(opening));
        } else if (")]}".indexOf(operator) >= 0 && (open.isEmpty() || open.pop() != operator)) {
            throw failure("unexpected '" + operator + "'");
        }
    }

    private @Nullable String match(Pattern pattern) {
        Matcher matcher = pattern.matcher(source)
                .region(at, source.length())
                .useTransparentBounds(true)
                .useAnchoringBounds(false);
        return matcher.lookingAt() ? matcher.group() : null;
    }

    private String name() {
        int end = at;
        while (end < source.length() && isNamePart(source.codePointAt(end))) {
            end += Character.charCount(source.codePointAt(end));
        }
        return source.substring(at, end);
    }

    private static boolean isNamePart(int point) {
        return Character.isUnicodeIdentifierPart(point) && !Character.isIdentifierIgnorable(point);
    }

    private int stringEnd(char quote) {
        for (int i = at + 1; i < source.length(); i++) {
            char c = source.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == quote) {
                return i;
            }
        }
        throw failure("the closing " + quote + " of a string is missing");
    }

    private static Object integer(String digits) {
        Integer radix = digits.length() > 2 ? RADIX.get(digits.substring(0, 2).toLowerCase(Locale.ROOT)) : null;
        return Numbers.narrow(radix == null ? new BigInteger(digits) : new BigInteger(digits.substring(2), radix));
    }

    private void add(Token.Type type, String text) {
        tokens.add(new Token(type, text, text, line()));
    }

    private int line() {
        for (; lineAt < at; lineAt++) {
            if (source.charAt(lineAt) == '\n') {
                line++;
            }
        }
        return line;
    }

    private TemplateError failure(String what) {
        return TemplateError.atLine(line(), what);
    }
}
