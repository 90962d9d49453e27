package io.rankfeed.spark.chat.jinja.parse;

import io.rankfeed.spark.chat.jinja.value.TemplateError;
import java.util.List;

/** Tokens, one after the other. */
public final class TokenStream {
    private static final int MAX_DEPTH = 100;
    private static final int MAX_CHAIN = 500;

    private final List<Token> tokens;
    private int at;
    private int depth;

    public TokenStream(List<Token> tokens) {
        this.tokens = tokens;
    }

    public Token current() {
        return tokens.get(at);
    }

    public Token following() {
        return tokens.get(Math.min(at + 1, tokens.size() - 1));
    }

    public Token next() {
        Token token = current();
        at = Math.min(at + 1, tokens.size() - 1);
        return token;
    }

    public boolean is(Token.Type type) {
        return current().type() == type;
    }

    public boolean isName(String name) {
        return current().isName(name);
    }

    public boolean isOperator(String operator) {
        return current().isOperator(operator);
    }

    public boolean skipName(String name) {
        if (isName(name)) {
            next();
            return true;
        }
        return false;
    }

    public boolean skipOperator(String operator) {
        if (isOperator(operator)) {
            next();
            return true;
        }
        return false;
    }

    public Token expect(Token.Type type) {
        if (!is(type)) {
            throw failure("expected " + type + ", not " + current());
        }
        return next();
    }

    public void expectName(String name) {
        if (!skipName(name)) {
            throw failure("expected '" + name + "', not " + current());
        }
    }

    public void expectOperator(String operator) {
        if (!skipOperator(operator)) {
            throw failure("expected '" + operator + "', not " + current());
        }
    }

    public void enter() {
        if (++depth > MAX_DEPTH) {
            throw failure("it is nested more than " + MAX_DEPTH + " deep");
        }
    }

    /** @param length of a chain of operators without brackets */
    public void requireShort(int length) {
        if (length > MAX_CHAIN) {
            throw failure("more than " + MAX_CHAIN + " operators follow each other");
        }
    }

    public void leave() {
        depth--;
    }

    public TemplateError failure(String what) {
        return TemplateError.atLine(current().line(), what);
    }
}
