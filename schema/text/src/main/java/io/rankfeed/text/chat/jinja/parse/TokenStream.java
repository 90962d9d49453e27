package io.rankfeed.text.chat.jinja.parse;

import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.util.Collection;
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

    public boolean is(String word) {
        return current().is(word);
    }

    public boolean isAny(Collection<String> words) {
        return current().isWord() && words.contains(current().text());
    }

    public boolean skip(String word) {
        if (is(word)) {
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

    public void expect(String word) {
        if (!skip(word)) {
            throw failure("expected '" + word + "', not " + current());
        }
    }

    public void enter() {
        if (++depth > MAX_DEPTH) {
            throw failure("the template is nested more than " + MAX_DEPTH + " deep");
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
