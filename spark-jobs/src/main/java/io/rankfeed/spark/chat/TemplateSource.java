package io.rankfeed.spark.chat;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A template in the syntax of Jinja, rewritten for the engine where that differs. Whitespace control is resolved here, as Jinja does with
 * {@code trim_blocks} and {@code lstrip_blocks}: the engine gets tags without it.
 */
final class TemplateSource {
    private static final String NAMESPACE = "namespace(";
    private static final Pattern FILTER = Pattern.compile("\\|\\s*([A-Za-z_][A-Za-z0-9_]*)");
    private static final Pattern CONDITION = Pattern.compile("\\band\\b");
    private static final Pattern CHOICE = Pattern.compile("\\bif\\b");
    private static final Pattern REVERSED = Pattern.compile("\\[\\s*::\\s*-1\\s*\\]");

    private final String source;
    private final Set<String> filters;
    private final StringBuilder out = new StringBuilder();

    private TemplateSource(String source, Set<String> filters) {
        this.source = source;
        this.filters = filters;
    }

    /**
     * The same template for the engine.
     *
     * @param filters that the engine has
     * @throws ChatException if a tag is not closed, or a filter is unknown
     */
    static String adapted(String source, Set<String> filters) throws ChatException {
        // Jinja leaves out one newline at the end.
        String text = source.endsWith("\n") ? source.substring(0, source.length() - 1) : source;
        return new TemplateSource(text, filters).adapted();
    }

    private String adapted() throws ChatException {
        int at = 0;
        boolean trimsNewline = false;
        boolean trimsAll = false;
        while (at < source.length()) {
            int tag = nextTag(at);
            String data = source.substring(at, tag);
            boolean isLineStart = at == 0
                    || (trimsNewline
                            && !trimsAll
                            && data.length() > withoutNewline(data).length());
            if (trimsAll) {
                data = data.stripLeading();
            } else if (trimsNewline) {
                data = withoutNewline(data);
            }
            if (tag == source.length()) {
                out.append(data);
                break;
            }
            char kind = source.charAt(tag + 1);
            int end = end(tag, kind);
            char before = source.charAt(tag + 2);
            char after = source.charAt(end - 3);
            out.append(dataBefore(data, kind, before, isLineStart));
            write(kind, source.substring(tag + (isControl(before) ? 3 : 2), end - (isControl(after) ? 3 : 2)));
            trimsAll = after == '-';
            trimsNewline = kind != '{' && after != '+';
            at = end;
        }
        return out.toString();
    }

    private static boolean isControl(char c) {
        return c == '-' || c == '+';
    }

    private int nextTag(int from) {
        for (int i = from; i + 1 < source.length(); i++) {
            char next = source.charAt(i + 1);
            if (source.charAt(i) == '{' && (next == '{' || next == '%' || next == '#')) {
                return i;
            }
        }
        return source.length();
    }

    /** Behind the tag's last bracket. */
    private int end(int tag, char kind) throws ChatException {
        char closing = kind == '{' ? '}' : kind;
        for (int i = tag + 2; i + 1 < source.length(); i++) {
            char c = source.charAt(i);
            if (kind != '#' && (c == '\'' || c == '"')) {
                i = endOfText(source, i);
            } else if (c == closing && source.charAt(i + 1) == '}') {
                // Of an object's and an expression's brackets the expression's are the last.
                boolean isMore = kind == '{' && i + 2 < source.length() && source.charAt(i + 2) == '}';
                if (!isMore) {
                    return i + 2;
                }
            }
        }
        throw new ChatException("the chat template has a tag that is not closed: "
                + source.substring(tag, Math.min(tag + 40, source.length())));
    }

    private static String dataBefore(String data, char kind, char control, boolean startsLine) {
        if (control == '-') {
            return data.stripTrailing();
        } else if (kind == '{' || control == '+') {
            return data;
        }
        int line = data.lastIndexOf('\n') + 1;
        boolean isLineStart = line > 0 || startsLine;
        boolean isBlank = data.substring(line).chars().allMatch(c -> c == ' ' || c == '\t');
        return isLineStart && isBlank ? data.substring(0, line) : data;
    }

    private static String withoutNewline(String data) {
        if (data.startsWith("\r\n")) {
            return data.substring(2);
        }
        return data.startsWith("\n") ? data.substring(1) : data;
    }

    private void write(char kind, String inner) throws ChatException {
        if (kind == '#') {
            return;
        }
        String expression = withoutTexts(inner);
        if (kind == '{'
                && CONDITION.matcher(expression).find()
                && !CHOICE.matcher(expression).find()) {
            throw new ChatException(
                    "the chat template writes the value of 'and', which is unsupported: " + inner.strip());
        }
        Matcher used = FILTER.matcher(expression);
        while (used.find()) {
            if (!filters.contains(used.group(1))) {
                throw new ChatException("the chat template uses an unsupported filter: " + used.group(1));
            }
        }
        char closing = kind == '{' ? '}' : kind;
        out.append('{').append(kind).append(' ');
        String adapted =
                grouped(REVERSED.matcher(inner).replaceAll("|reverse|list").strip());
        out.append(kind == '{' ? "(" + adapted + ")|" + PythonOutput.NAME : adapted);
        out.append(' ').append(closing).append('}');
    }

    private static String withoutTexts(String inner) {
        StringBuilder rest = new StringBuilder();
        for (int i = 0; i < inner.length(); i++) {
            char c = inner.charAt(i);
            if (c == '\'' || c == '"') {
                i = endOfText(inner, i);
            } else {
                rest.append(c);
            }
        }
        return rest.toString();
    }

    /** Puts the value of each {@code name=value} of a namespace into brackets: the engine binds {@code =} closer than operators. */
    private static String grouped(String inner) {
        int found = inner.indexOf(NAMESPACE);
        if (found < 0) {
            return inner;
        }
        int arguments = found + NAMESPACE.length();
        StringBuilder out = new StringBuilder(inner.substring(0, arguments));
        int depth = 0;
        int start = arguments;
        for (int i = arguments; i < inner.length(); i++) {
            char c = inner.charAt(i);
            if (c == '\'' || c == '"') {
                i = endOfText(inner, i);
            } else if (depth == 0 && (c == ',' || c == ')')) {
                String argument = inner.substring(start, i);
                int equals = argument.indexOf('=');
                out.append(
                        equals < 0
                                ? argument
                                : argument.substring(0, equals + 1) + "(" + argument.substring(equals + 1) + ")");
                out.append(c);
                start = i + 1;
                if (c == ')') {
                    break;
                }
            } else if (c == '(' || c == '[' || c == '{') {
                depth++;
            } else if (c == ')' || c == ']' || c == '}') {
                depth--;
            }
        }
        return out.append(inner.substring(start)).toString();
    }

    /** The last character of the text that begins here. */
    private static int endOfText(String text, int begin) {
        for (int i = begin + 1; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == text.charAt(begin)) {
                return i;
            }
        }
        return text.length();
    }
}
