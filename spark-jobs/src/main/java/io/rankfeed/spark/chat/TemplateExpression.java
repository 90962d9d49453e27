package io.rankfeed.spark.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Expressions of Jinja, written for the engine. Its grammar has another precedence and other values than Python, so every operator,
 * filter and test becomes a call of {@link PythonOperators} with its operands in brackets. What is not in that list is refused.
 */
final class TemplateExpression {
    /** Names of constants in the engine's context. */
    static final String NONE = "rankfeed_none";

    /** Never defined. */
    static final String UNDEFINED = "rankfeed_undefined";

    /** Prefix of the template's string literals, which are constants of the context too: the engine reads none of their escapes. */
    static final String TEXT = "rankfeed_text_";

    private static final Map<String, String> COMPARISONS =
            Map.of("==", "eq", "!=", "ne", "<", "lt", ">", "gt", "<=", "le", ">=", "ge", "in", "in");
    private static final Map<String, String> SUMS = Map.of("+", "add", "-", "sub");
    private static final Map<String, String> PRODUCTS = Map.of("*", "mul", "//", "floordiv", "%", "mod");

    /** Attributes that are methods of Python's mappings: {@code x.items} is no entry, but {@code x['items']} is. */
    private static final Set<String> METHODS = Set.of(
            "items", "keys", "values", "get", "pop", "update", "copy", "clear", "setdefault", "popitem", "fromkeys");

    /** Items next to the loop's, by their distance. */
    private static final Map<String, String> BESIDE = Map.of("previtem", "(0 - 1)", "nextitem", "1");

    private static final int MAX_OPERAND_CHARS = 1 << 16;

    private final TemplateTokens tokens;
    private final List<String> texts;
    private final Set<String> functions;
    private final @Nullable String loop;

    /**
     * @param texts receives the values of string literals
     * @param functions that may be called
     * @param loop variable with the items of the loop around it; null where there is none
     */
    TemplateExpression(TemplateTokens tokens, List<String> texts, Set<String> functions, @Nullable String loop) {
        this.tokens = tokens;
        this.texts = texts;
        this.functions = functions;
        this.loop = loop;
    }

    /** The whole source as one value. */
    String value() throws ChatException {
        String value = choice();
        tokens.end();
        return value;
    }

    /** The whole source as the condition of a tag, which has no {@code else}. */
    String condition() throws ChatException {
        String value = either();
        tokens.end();
        return truth(value);
    }

    /** A literal, as defaults of parameters are. */
    String literal() throws ChatException {
        TemplateTokens.Token token = tokens.peek();
        return token.kind().equals("name") ? constant() : primary();
    }

    private String constant() throws ChatException {
        String constant = TemplateTokens.CONSTANTS.get(tokens.next().text());
        if (constant == null) {
            throw tokens.unsupported();
        }
        return constant;
    }

    static String truth(String value) {
        return call("truth", value);
    }

    static String call(String operator, String value, String... arguments) {
        return "((" + value + ")|" + PythonOperators.PREFIX + operator
                + (arguments.length == 0 ? "" : "(" + String.join(", ", arguments) + ")") + ")";
    }

    /** {@code a if b else c}. */
    String choice() throws ChatException {
        String value = either();
        while (tokens.skip("if")) {
            String condition = either();
            String other = tokens.skip("else") ? choice() : UNDEFINED;
            value = "((" + value + ") if " + truth(condition) + " else (" + other + "))";
        }
        return value;
    }

    /** Python's {@code or} and {@code and} give an operand: the left one is written twice. */
    String either() throws ChatException {
        String left = both();
        if (!tokens.skip("or")) {
            return left;
        }
        return "((" + limited(left) + ") if " + truth(left) + " else (" + either() + "))";
    }

    private String both() throws ChatException {
        String left = negated();
        if (!tokens.skip("and")) {
            return left;
        }
        return "((" + both() + ") if " + truth(left) + " else (" + limited(left) + "))";
    }

    /** Operands that are written twice, and their operands too, could fill the memory. */
    private String limited(String operand) throws ChatException {
        if (operand.length() > MAX_OPERAND_CHARS) {
            throw tokens.unsupported();
        }
        return operand;
    }

    private String negated() throws ChatException {
        return tokens.skip("not") ? call("not", negated()) : compared();
    }

    private String compared() throws ChatException {
        String left = sum();
        int comparisons = 0;
        while (true) {
            boolean isNegated = tokens.isNext("not") && tokens.after().text().equals("in");
            if (isNegated) {
                tokens.next();
            }
            String operator = tokens.peek().kind().equals("text")
                    ? null
                    : COMPARISONS.get(tokens.peek().text());
            if (operator == null) {
                return left;
            } else if (++comparisons > 1) {
                throw tokens.unsupported();
            }
            tokens.next();
            left = call(operator, left, sum());
            left = isNegated ? call("not", left) : left;
        }
    }

    private String sum() throws ChatException {
        String left = joined();
        while (tokens.isNext("+") || tokens.isNext("-")) {
            left = call(SUMS.getOrDefault(tokens.next().text(), ""), left, joined());
        }
        return left;
    }

    private String joined() throws ChatException {
        String left = product();
        while (tokens.skip("~")) {
            left = call("concat", left, product());
        }
        return left;
    }

    private String product() throws ChatException {
        String left = signed(true);
        while (tokens.isNext("*") || tokens.isNext("//") || tokens.isNext("%")) {
            left = call(PRODUCTS.getOrDefault(tokens.next().text(), ""), left, signed(true));
        }
        return left;
    }

    private String signed(boolean hasFilters) throws ChatException {
        String value;
        if (tokens.skip("-")) {
            value = call("neg", signed(false));
        } else {
            value = postfix(primary());
        }
        return hasFilters ? filtered(value) : value;
    }

    private String primary() throws ChatException {
        TemplateTokens.Token token = tokens.peek();
        if (token.kind().equals("name")) {
            return TemplateTokens.CONSTANTS.containsKey(token.text()) ? constant() : tokens.name();
        }
        tokens.next();
        return switch (token.kind()) {
            case "number" -> token.text();
            case "text" -> adjacent(token);
            default -> bracketed(token.text());
        };
    }

    /** Texts next to each other are one. */
    private String adjacent(TemplateTokens.Token first) throws ChatException {
        StringBuilder text = new StringBuilder(tokens.decoded(first.text()));
        while (tokens.peek().kind().equals("text")) {
            text.append(tokens.decoded(tokens.next().text()));
        }
        return text(text.toString());
    }

    private String text(String text) {
        texts.add(text);
        return TEXT + (texts.size() - 1);
    }

    private String bracketed(String bracket) throws ChatException {
        List<String> items = new ArrayList<>();
        switch (bracket) {
            case "(" -> {
                String first = choice();
                if (tokens.skip(")")) {
                    return "(" + first + ")";
                }
                items.add(first);
                while (tokens.skip(",") && !tokens.isNext(")")) {
                    items.add(choice());
                }
                tokens.expect(")");
                return "[" + String.join(", ", items) + "]";
            }
            case "[" -> {
                while (!tokens.isNext("]")) {
                    items.add(choice());
                    if (!tokens.skip(",")) {
                        break;
                    }
                }
                tokens.expect("]");
                return "[" + String.join(", ", items) + "]";
            }
            case "{" -> {
                while (!tokens.isNext("}")) {
                    String key = choice();
                    tokens.expect(":");
                    items.add("(" + key + ")");
                    items.add("(" + choice() + ")");
                    if (!tokens.skip(",")) {
                        break;
                    }
                }
                tokens.expect("}");
                return call("mapping", UNDEFINED, items.toArray(String[]::new));
            }
            default -> throw tokens.unsupported();
        }
    }

    private String postfix(String first) throws ChatException {
        String value = first;
        while (true) {
            if (tokens.skip(".")) {
                String attribute = tokens.peek().text();
                if (!tokens.next().kind().equals("name")) {
                    throw tokens.unsupported();
                }
                if (tokens.skip("(")) {
                    value = call("call", value, arguments(text(attribute)));
                } else if (METHODS.contains(attribute)) {
                    throw new ChatException("the chat template has ." + attribute
                            + ", which is a method and no entry of a mapping; write ['" + attribute + "']");
                } else if (loop != null && value.equals("loop") && BESIDE.containsKey(attribute)) {
                    value = call("beside", loop, value, BESIDE.getOrDefault(attribute, ""));
                } else {
                    value = call("attribute", value, text(attribute));
                }
            } else if (tokens.skip("[")) {
                value = subscript(value);
            } else if (tokens.isNext("(")) {
                if (!functions.contains(value)) {
                    throw tokens.unsupported();
                }
                tokens.expect("(");
                value = value + "(" + String.join(", ", arguments()) + ")";
            } else {
                return value;
            }
        }
    }

    private String subscript(String value) throws ChatException {
        String[] bounds = {NONE, NONE, NONE};
        int colons = 0;
        String item = UNDEFINED;
        while (!tokens.isNext("]")) {
            if (tokens.skip(":")) {
                colons++;
            } else if (colons < bounds.length) {
                item = choice();
                bounds[colons] = item;
            }
            if (colons >= bounds.length) {
                throw tokens.unsupported();
            }
        }
        tokens.expect("]");
        return colons > 0 ? call("slice", value, bounds) : call("item", value, item);
    }

    /** What stands in brackets, of which the first is read, behind other arguments. */
    String[] arguments(String... before) throws ChatException {
        List<String> arguments = new ArrayList<>(List.of(before));
        while (!tokens.isNext(")")) {
            boolean isNamed = tokens.peek().kind().equals("name")
                    && tokens.after().kind().equals("sign")
                    && tokens.after().text().equals("=");
            String name = isNamed ? tokens.name() : "";
            if (isNamed) {
                tokens.expect("=");
            }
            arguments.add((isNamed ? name + "=" : "") + "(" + choice() + ")");
            if (!tokens.skip(",")) {
                break;
            }
        }
        tokens.expect(")");
        return arguments.toArray(String[]::new);
    }

    private String filtered(String first) throws ChatException {
        String value = first;
        while (true) {
            if (tokens.skip("|")) {
                String name = tokens.name();
                if (!PythonOperators.FILTERS.contains(name)) {
                    throw new ChatException("the chat template uses an unsupported filter: " + name);
                }
                value = call(name, value, tokens.skip("(") ? arguments() : new String[0]);
            } else if (tokens.skip("is")) {
                boolean isNegated = tokens.skip("not");
                TemplateTokens.Token test = tokens.next();
                if (!PythonOperators.TESTS.contains(test.text()) || isArgument()) {
                    throw new ChatException("the chat template uses an unsupported test: " + test.text());
                }
                value = call("is_" + test.text(), value);
                value = isNegated ? call("not", value) : value;
            } else {
                return value;
            }
        }
    }

    /** Jinja reads what follows a test as its argument, other tests too. */
    private boolean isArgument() {
        TemplateTokens.Token next = tokens.peek();
        return switch (next.kind()) {
            case "name" -> !Set.of("and", "or", "else").contains(next.text());
            case "sign" -> Set.of("(", "[", "{").contains(next.text());
            case "end" -> false;
            default -> true;
        };
    }
}
