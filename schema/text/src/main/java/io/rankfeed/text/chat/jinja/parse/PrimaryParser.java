package io.rankfeed.text.chat.jinja.parse;

import io.rankfeed.text.chat.jinja.library.Filters;
import io.rankfeed.text.chat.jinja.library.Registry;
import io.rankfeed.text.chat.jinja.library.Tests;
import io.rankfeed.text.chat.jinja.node.Calls;
import io.rankfeed.text.chat.jinja.node.Calls.CallArguments;
import io.rankfeed.text.chat.jinja.node.Expression;
import io.rankfeed.text.chat.jinja.node.Expressions;
import io.rankfeed.text.chat.jinja.value.None;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses names, literals, and what follows a value: subscripts, calls, filters, tests. */
public record PrimaryParser(TokenStream tokens, ParsedNames names, ExpressionParser expressions) {
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
                if (tokens.skip("(")) {
                    Expression inner = expressions.tuple(true, true);
                    tokens.expect(")");
                    return inner;
                } else if (tokens.skip("[")) {
                    return list();
                } else if (tokens.skip("{")) {
                    return dict();
                }
                throw tokens.failure("expected an expression, not " + token);
            }
        }
    }

    private Expression list() {
        List<Expression> items = new ArrayList<>();
        while (!tokens.is("]")) {
            if (!items.isEmpty()) {
                tokens.expect(",");
            }
            if (tokens.is("]")) {
                break;
            }
            items.add(expressions.expression());
        }
        tokens.expect("]");
        return Expressions.list(items, false);
    }

    private Expression dict() {
        List<Expression> parts = new ArrayList<>();
        while (!tokens.is("}")) {
            if (!parts.isEmpty()) {
                tokens.expect(",");
            }
            if (tokens.is("}")) {
                break;
            }
            parts.add(expressions.expression());
            tokens.expect(":");
            parts.add(expressions.expression());
        }
        tokens.expect("}");
        return Expressions.dict(parts);
    }

    public Expression postfix(Expression object) {
        Expression value = object;
        for (int length = 0; ; length++) {
            tokens.requireShort(length);
            if (tokens.is(".") || tokens.is("[")) {
                value = subscript(value);
            } else if (tokens.is("(")) {
                value = new Calls.Call(value, arguments());
            } else {
                return value;
            }
        }
    }

    public Expression filtered(Expression object) {
        Expression value = object;
        for (int length = 0; ; length++) {
            tokens.requireShort(length);
            if (tokens.is("|")) {
                value = filters(value);
            } else if (tokens.is("is")) {
                value = test(value);
            } else if (tokens.is("(")) {
                value = new Calls.Call(value, arguments());
            } else {
                return value;
            }
        }
    }

    private Expression subscript(Expression object) {
        if (tokens.skip(".")) {
            Token name = tokens.next();
            if (name.type() == Token.Type.NAME) {
                return Expressions.attribute(object, name.text());
            } else if (name.type() != Token.Type.INTEGER) {
                throw tokens.failure("expected a name or a number after '.'");
            }
            return Expressions.item(object, new Expressions.Constant(name.value()));
        }
        tokens.expect("[");
        List<Expression> keys = new ArrayList<>();
        while (!tokens.is("]")) {
            if (!keys.isEmpty()) {
                tokens.expect(",");
            }
            keys.add(key());
        }
        tokens.expect("]");
        if (keys.size() > 1 && keys.stream().anyMatch(key -> key instanceof Expressions.Slice)) {
            throw tokens.failure("a slice must be the only subscript");
        }
        return Expressions.item(object, keys.size() == 1 ? keys.get(0) : Expressions.list(keys, true));
    }

    private Expression key() {
        Optional<Expression> begin = Optional.empty();
        if (!tokens.is(":")) {
            Expression value = expressions.expression();
            if (!tokens.is(":")) {
                return value;
            }
            begin = Optional.of(value);
        }
        tokens.expect(":");
        Optional<Expression> end = bound();
        return new Expressions.Slice(begin, end, tokens.skip(":") ? bound() : Optional.empty());
    }

    private Optional<Expression> bound() {
        return tokens.is(":") || tokens.is("]") || tokens.is(",")
                ? Optional.empty()
                : Optional.of(expressions.expression());
    }

    private CallArguments arguments() {
        tokens.expect("(");
        List<Expression> positional = new ArrayList<>();
        Map<String, Expression> named = new LinkedHashMap<>();
        Optional<Expression> unpacked = Optional.empty();
        Optional<Expression> unpackedNamed = Optional.empty();
        boolean isFirst = true;
        while (!tokens.is(")")) {
            if (!isFirst) {
                tokens.expect(",");
                if (tokens.is(")")) {
                    break;
                }
            }
            isFirst = false;
            if (tokens.is("*")) {
                ensure(unpacked.isEmpty() && unpackedNamed.isEmpty());
                tokens.next();
                unpacked = Optional.of(expressions.expression());
            } else if (tokens.is("**")) {
                ensure(unpackedNamed.isEmpty());
                tokens.next();
                unpackedNamed = Optional.of(expressions.expression());
            } else if (tokens.is(Token.Type.NAME) && tokens.following().is("=")) {
                ensure(unpackedNamed.isEmpty());
                String name = tokens.next().text();
                tokens.next();
                ensure(named.put(name, expressions.expression()) == null);
            } else {
                ensure(unpacked.isEmpty() && unpackedNamed.isEmpty() && named.isEmpty());
                positional.add(expressions.expression());
            }
        }
        tokens.expect(")");
        return new CallArguments(positional, named, unpacked, unpackedNamed);
    }

    private void ensure(boolean isValid) {
        if (!isValid) {
            throw tokens.failure("an argument of a call is duplicate, or follows one that must be the last");
        }
    }

    /** Parses one filter or several, from the bar of the first. */
    public Expression filters(Expression object) {
        Expression value = object;
        while (tokens.skip("|")) {
            value = filter(value);
        }
        return value;
    }

    /** A filter, from its name. */
    public Expression filter(Expression object) {
        int line = tokens.current().line();
        String name = dotted();
        CallArguments arguments = tokens.is("(") ? arguments() : CallArguments.NONE;
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
        while (tokens.skip(".")) {
            name.append('.').append(tokens.expect(Token.Type.NAME).text());
        }
        return name.toString();
    }

    private Expression test(Expression object) {
        tokens.expect("is");
        boolean isNegated = tokens.skip("not");
        int line = tokens.current().line();
        String name = dotted();
        CallArguments arguments = CallArguments.NONE;
        if (tokens.is("(")) {
            arguments = arguments();
        } else if (beginsArgument()) {
            if (tokens.is("is")) {
                throw tokens.failure("tests cannot be chained with 'is'");
            }
            arguments = new CallArguments(List.of(postfix(primary())), Map.of(), Optional.empty(), Optional.empty());
        }
        Expression test = applied(Tests.ALL, object, name, arguments, line);
        return isNegated ? Expressions.not(test) : test;
    }

    private boolean beginsArgument() {
        Token token = tokens.current();
        return switch (token.type()) {
            case NAME -> !token.is("else") && !token.is("or") && !token.is("and");
            case STRING, INTEGER, FLOAT -> true;
            default -> token.is("[") || token.is("{");
        };
    }
}
