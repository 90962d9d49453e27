package io.rankfeed.spark.chat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A template in the syntax of Jinja, rewritten for the engine where that differs. Whitespace control is resolved here, as Jinja does with
 * {@code trim_blocks} and {@code lstrip_blocks}: the engine gets tags without it.
 */
final class TemplateSource {

    private static final Pattern MACRO = Pattern.compile("\\{%[-+]?\\s*macro\\s+(\\w+)");

    private final String source;
    private final List<String> texts = new ArrayList<>();
    private final Set<String> functions = new HashSet<>(Set.of("namespace", "raise_exception", "range"));
    private final Deque<String> open = new ArrayDeque<>();

    /** Variables with the items of the loops around a tag, innermost first. */
    private final Deque<String> loops = new ArrayDeque<>();

    private final StringBuilder out = new StringBuilder();
    private int lists;

    /** @param source as the model has it */
    TemplateSource(String source) {
        // Jinja leaves out one newline at the end.
        this.source = source.endsWith("\n") ? source.substring(0, source.length() - 1) : source;
        MACRO.matcher(source).results().forEach(macro -> functions.add(macro.group(1)));
    }

    /** The string literals, by their numbers in {@link TemplateExpression#TEXT}; complete after {@link #adapted}. */
    List<String> texts() {
        return List.copyOf(texts);
    }

    /**
     * The same template for the engine.
     *
     * @throws ChatException if a tag is not closed, or something is unsupported
     */
    String adapted() throws ChatException {
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
                write(data);
                break;
            }
            char kind = source.charAt(tag + 1);
            int end = end(tag, kind);
            char before = source.charAt(tag + 2);
            char after = source.charAt(end - 3);
            write(dataBefore(data, kind, before, isLineStart));
            write(kind, source.substring(tag + (isControl(before) ? 3 : 2), end - (isControl(after) ? 3 : 2)));
            trimsAll = after == '-';
            trimsNewline = kind != '{' && after != '+';
            at = end;
        }
        if (!open.isEmpty()) {
            throw new ChatException("the chat template has '" + open.peek() + "' without its end");
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

    /** Text with a bracket, which could be read as a part of a tag next to it, becomes a constant. */
    private void write(String data) {
        if (data.indexOf('{') < 0 && data.indexOf('}') < 0) {
            out.append(data);
        } else {
            texts.add(data);
            out.append("{{ ")
                    .append(TemplateExpression.TEXT)
                    .append(texts.size() - 1)
                    .append(" }}");
        }
    }

    private void write(char kind, String inner) throws ChatException {
        if (kind == '{') {
            String value = expression(new TemplateTokens(inner)).value();
            out.append("{{ ").append(TemplateExpression.call("output", value)).append(" }}");
        } else if (kind == '%') {
            String statement = statement(inner.strip());
            out.append("{% ").append(statement).append(" %}");
        }
    }

    private TemplateExpression expression(TemplateTokens tokens) {
        return new TemplateExpression(tokens, texts, functions, loops.peek());
    }

    private String statement(String inner) throws ChatException {
        String word = inner.split("\\s", 2)[0];
        String rest = inner.substring(word.length());
        TemplateTokens tokens = new TemplateTokens(rest);
        TemplateExpression expression = expression(tokens);
        switch (word) {
            case "if" -> {
                open.push(word);
                return "if " + expression.condition();
            }
            case "elif" -> {
                requireOpen("if", inner);
                return "elif " + expression.condition();
            }
            case "else" -> requireOpen("if", inner);
            case "for" -> {
                String loop = loop(tokens, expression);
                open.push(word);
                return "for " + loop;
            }
            case "set" -> {
                return "set " + assignment(tokens, expression);
            }
            case "macro" -> {
                open.push(word);
                String name = tokens.name();
                tokens.expect("(");
                return "macro " + name + "(" + String.join(", ", parameters(tokens, expression)) + ")";
            }
            case "generation" -> open.push(word);
            case "break", "continue" -> {
                if (!open.contains("for")) {
                    throw tokens.unsupported();
                }
            }
            case "endif", "endfor", "endset", "endmacro", "endgeneration" -> {
                requireOpen(word.substring("end".length()), inner);
                if (open.pop().equals("for")) {
                    loops.pop();
                }
            }
            default -> throw new ChatException("the chat template has an unsupported tag: " + inner);
        }
        tokens.end();
        return word;
    }

    private void requireOpen(String tag, String inner) throws ChatException {
        if (!tag.equals(open.peek())) {
            throw new ChatException("the chat template has an unsupported tag: " + inner + ", within "
                    + (open.isEmpty() ? "no other" : open.peek()));
        }
    }

    private String loop(TemplateTokens tokens, TemplateExpression expression) throws ChatException {
        boolean isBracketed = tokens.skip("(");
        List<String> names = new ArrayList<>(List.of(tokens.name()));
        while (tokens.skip(",")) {
            names.add(tokens.name());
        }
        if (isBracketed) {
            tokens.expect(")");
        }
        tokens.expect("in");
        String items = TemplateExpression.call("iter", expression.either());
        String list = list(items);
        if (tokens.skip("if")) {
            list = kept(names, list, expression);
        }
        tokens.end();
        loops.push(list);
        return String.join(", ", names) + " in " + list;
    }

    /** Writes what sets a variable of its own: the engine reads commas in the head of a loop by rules of its own. */
    private String list(String items) {
        String list = PythonOperators.PREFIX + "list_" + lists++;
        out.append("{% set ").append(list).append(" = (").append(items).append(") %}");
        return list;
    }

    /** Writes a loop that collects the items which fulfill the loop's condition, which the engine does not have. */
    private String kept(List<String> names, String list, TemplateExpression condition) throws ChatException {
        String kept = list("[]");
        String item = names.size() == 1 ? names.get(0) : "[" + String.join(", ", names) + "]";
        out.append("{% for ").append(String.join(", ", names)).append(" in ").append(list);
        out.append(" %}{% if ").append(TemplateExpression.truth(condition.either()));
        out.append(" %}{{ ").append(TemplateExpression.call("keep", kept, item)).append(" }}{% endif %}{% endfor %}");
        return kept;
    }

    private String assignment(TemplateTokens tokens, TemplateExpression expression) throws ChatException {
        String name = tokens.name();
        if (tokens.skip(".")) {
            name += "." + tokens.name();
        } else if (!tokens.isNext("=")) {
            tokens.end();
            open.push("set");
            return name;
        }
        tokens.expect("=");
        return name + " = (" + expression.value() + ")";
    }

    private static List<String> parameters(TemplateTokens tokens, TemplateExpression expression) throws ChatException {
        List<String> parameters = new ArrayList<>();
        while (!tokens.isNext(")")) {
            String name = tokens.name();
            parameters.add(tokens.skip("=") ? name + "=" + expression.literal() : name);
            if (!tokens.skip(",")) {
                break;
            }
        }
        tokens.expect(")");
        tokens.end();
        return parameters;
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
