package io.rankfeed.spark.chat.jinja.parse;

import io.rankfeed.spark.chat.jinja.library.Filters;
import io.rankfeed.spark.chat.jinja.library.Registry;
import io.rankfeed.spark.chat.jinja.library.Tests;
import io.rankfeed.spark.chat.jinja.node.Calls;
import io.rankfeed.spark.chat.jinja.node.Calls.CallArguments;
import io.rankfeed.spark.chat.jinja.node.Expression;
import io.rankfeed.spark.chat.jinja.node.Expressions;
import io.rankfeed.spark.chat.jinja.value.None;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import io.rankfeed.spark.chat.jinja.value.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses names, literals, and what follows a value: subscripts, calls, filters, tests. */
public final class PrimaryParser {
    private final TokenStream tokens;
    private final ParsedNames names;
    private final ExpressionParser expressions;

    public PrimaryParser(TokenStream tokens, ParsedNames names, ExpressionParser expressions) {
        this.tokens = tokens;
        this.names = names;
        this.expressions = expressions;
    }

    public Expression primary() {
        Token token = tokens.current();
        switch (token.type()) {
            case NAME -> {
                tokens.next();
                if (ExpressionParser.CONSTANTS.contains(token.text())) {
                    return new Expressions.Constant(
                            switch (token.text()) {
                                case "none", "None" -> None.NONE;
                                default -> token.text().equalsIgnoreCase("true");
                            });
                }
                if (token.text().equals("self")) {
                    throw TemplateError.atLine(token.line(), "'self' is not supported");
                }
                names.read(token.text());
                return new Expressions.Name(token.text());
            }
            case STRING -> {
                StringBuilder text = new StringBuilder();
                while (tokens.is(Token.Type.STRING)) {
                    text.append(tokens.next().text());
                }
                return new Expressions.Constant(Text.of(text.toString()));
            }
            case INTEGER, FLOAT -> {
                return new Expressions.Constant(tokens.next().value());
            }
            default -> {
                if (tokens.skipOperator("(")) {
                    Expression inner = expressions.tuple(true, true);
                    tokens.expectOperator(")");
                    return inner;
                } else if (tokens.skipOperator("[")) {
                    return list();
                } else if (tokens.skipOperator("{")) {
                    return dict();
                }
                throw tokens.failure("expected an expression, not " + token);
            }
        }
    }

    private Expression list() {
        List<Expression> items = new ArrayList<>();
        while (!tokens.isOperator("]")) {
            if (!items.isEmpty()) {
                tokens.expectOperator(",");
            }
            if (tokens.isOperator("]")) {
                break;
            }
            items.add(expressions.expression());
        }
        tokens.expectOperator("]");
        return new Expressions.ListLiteral(items, false);
    }

    private Expression dict() {
        List<Expression> keys = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        while (!tokens.isOperator("}")) {
            if (!keys.isEmpty()) {
                tokens.expectOperator(",");
            }
            if (tokens.isOperator("}")) {
                break;
            }
            keys.add(expressions.expression());
            tokens.expectOperator(":");
            values.add(expressions.expression());
        }
        tokens.expectOperator("}");
        return new Expressions.DictLiteral(keys, values);
    }

    public Expression postfix(Expression object) {
        Expression value = object;
        for (int length = 0; ; length++) {
            tokens.requireShort(length);
            if (tokens.isOperator(".") || tokens.isOperator("[")) {
                value = subscript(value);
            } else if (tokens.isOperator("(")) {
                int line = tokens.current().line();
                value = new Calls.Call(value, arguments(), line);
            } else {
                return value;
            }
        }
    }

    public Expression filtered(Expression object) {
        Expression value = object;
        for (int length = 0; ; length++) {
            tokens.requireShort(length);
            if (tokens.isOperator("|")) {
                value = filters(value);
            } else if (tokens.isName("is")) {
                value = test(value);
            } else if (tokens.isOperator("(")) {
                int line = tokens.current().line();
                value = new Calls.Call(value, arguments(), line);
            } else {
                return value;
            }
        }
    }

    private Expression subscript(Expression object) {
        if (tokens.skipOperator(".")) {
            Token name = tokens.next();
            if (name.type() == Token.Type.NAME) {
                return new Expressions.Attribute(object, name.text());
            } else if (name.type() != Token.Type.INTEGER) {
                throw tokens.failure("expected a name or a number after '.'");
            }
            return new Expressions.Item(object, new Expressions.Constant(name.value()));
        }
        tokens.expectOperator("[");
        List<Expression> keys = new ArrayList<>();
        while (!tokens.isOperator("]")) {
            if (!keys.isEmpty()) {
                tokens.expectOperator(",");
            }
            keys.add(key());
        }
        tokens.expectOperator("]");
        if (keys.size() > 1 && keys.stream().anyMatch(key -> key instanceof Expressions.Slice)) {
            throw tokens.failure("a slice must be the only subscript");
        }
        return new Expressions.Item(object, keys.size() == 1 ? keys.get(0) : new Expressions.ListLiteral(keys, true));
    }

    private Expression key() {
        Optional<Expression> begin = Optional.empty();
        if (!tokens.isOperator(":")) {
            Expression value = expressions.expression();
            if (!tokens.isOperator(":")) {
                return value;
            }
            begin = Optional.of(value);
        }
        tokens.expectOperator(":");
        Optional<Expression> end = bound();
        return new Expressions.Slice(begin, end, tokens.skipOperator(":") ? bound() : Optional.empty());
    }

    private Optional<Expression> bound() {
        return tokens.isOperator(":") || tokens.isOperator("]") || tokens.isOperator(",")
                ? Optional.empty()
                : Optional.of(expressions.expression());
    }

    private CallArguments arguments() {
        tokens.expectOperator("(");
        List<Expression> positional = new ArrayList<>();
        Map<String, Expression> named = new LinkedHashMap<>();
        Optional<Expression> unpacked = Optional.empty();
        Optional<Expression> unpackedNamed = Optional.empty();
        boolean isFirst = true;
        while (!tokens.isOperator(")")) {
            if (!isFirst) {
                tokens.expectOperator(",");
                if (tokens.isOperator(")")) {
                    break;
                }
            }
            isFirst = false;
            if (tokens.isOperator("*")) {
                ensure(unpacked.isEmpty() && unpackedNamed.isEmpty());
                tokens.next();
                unpacked = Optional.of(expressions.expression());
            } else if (tokens.isOperator("**")) {
                ensure(unpackedNamed.isEmpty());
                tokens.next();
                unpackedNamed = Optional.of(expressions.expression());
            } else if (tokens.is(Token.Type.NAME) && tokens.following().isOperator("=")) {
                ensure(unpackedNamed.isEmpty());
                String name = tokens.next().text();
                tokens.next();
                ensure(named.put(name, expressions.expression()) == null);
            } else {
                ensure(unpacked.isEmpty() && unpackedNamed.isEmpty() && named.isEmpty());
                positional.add(expressions.expression());
            }
        }
        tokens.expectOperator(")");
        return new CallArguments(positional, named, unpacked, unpackedNamed);
    }

    private void ensure(boolean isValid) {
        if (!isValid) {
            throw tokens.failure("the arguments of a call are not in order");
        }
    }

    /** One filter or several, from the bar of the first. */
    public Expression filters(Expression object) {
        Expression value = object;
        while (tokens.skipOperator("|")) {
            value = filter(value);
        }
        return value;
    }

    /** A filter, from its name. */
    public Expression filter(Expression object) {
        int line = tokens.current().line();
        String name = dotted();
        CallArguments arguments = tokens.isOperator("(") ? arguments() : CallArguments.NONE;
        return applied(Filters.ALL, object, name, arguments, line);
    }

    private Expression applied(Registry registry, Expression object, String name, CallArguments arguments, int line) {
        if (!registry.has(name) && !names.isInBranch()) {
            throw TemplateError.atLine(line, registry.unknown(name));
        }
        return new Calls.Applied(registry, object, name, arguments);
    }

    private String dotted() {
        StringBuilder name = new StringBuilder(tokens.expect(Token.Type.NAME).text());
        while (tokens.skipOperator(".")) {
            name.append('.').append(tokens.expect(Token.Type.NAME).text());
        }
        return name.toString();
    }

    private Expression test(Expression object) {
        tokens.expectName("is");
        boolean isNegated = tokens.skipName("not");
        int line = tokens.current().line();
        String name = dotted();
        CallArguments arguments = CallArguments.NONE;
        if (tokens.isOperator("(")) {
            arguments = arguments();
        } else if (beginsArgument()) {
            if (tokens.isName("is")) {
                throw tokens.failure("tests cannot be chained with 'is'");
            }
            arguments = new CallArguments(List.of(postfix(primary())), Map.of(), Optional.empty(), Optional.empty());
        }
        Expression test = applied(Tests.ALL, object, name, arguments, line);
        return isNegated ? new Expressions.Not(test) : test;
    }

    private boolean beginsArgument() {
        Token token = tokens.current();
        return switch (token.type()) {
            case NAME -> !token.isName("else") && !token.isName("or") && !token.isName("and");
            case STRING, INTEGER, FLOAT -> true;
            default -> token.isOperator("[") || token.isOperator("{");
        };
    }
}
