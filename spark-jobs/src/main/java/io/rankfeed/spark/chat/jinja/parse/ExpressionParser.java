package io.rankfeed.spark.chat.jinja.parse;

import io.rankfeed.spark.chat.jinja.node.Expression;
import io.rankfeed.spark.chat.jinja.node.Expressions;
import io.rankfeed.spark.chat.jinja.node.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses expressions, by descent: conditional, or, and, not, comparison, sum, concatenation, product, power, unary, primary. */
public final class ExpressionParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
    public static final Set<String> CONSTANTS = Set.of("true", "false", "none", "True", "False", "None");

    private final TokenStream tokens;
    private final ParsedNames names;
    private final PrimaryParser primaries;

    public ExpressionParser(TokenStream tokens, ParsedNames names) {
        this.tokens = tokens;
        this.names = names;
        this.primaries = new PrimaryParser(tokens, names, this);
    }

    public Expression expression() {
        tokens.enter();
        Expression value = or();
        for (int length = 0; tokens.isName("if"); length++) {
            tokens.requireShort(length);
            tokens.next();
            names.enterBranch();
            Expression test = or();
            Optional<Expression> otherwise = tokens.skipName("else") ? Optional.of(expression()) : Optional.empty();
            names.leaveBranch();
            value = new Expressions.Conditional(test, value, otherwise);
        }
        tokens.leave();
        return value;
    }

    public Expression or() {
        Expression left = and();
        for (int length = 0; tokens.skipName("or"); length++) {
            tokens.requireShort(length);
            left = new Expressions.Choice(false, left, and());
        }
        return left;
    }

    private Expression and() {
        Expression left = not();
        for (int length = 0; tokens.skipName("and"); length++) {
            tokens.requireShort(length);
            left = new Expressions.Choice(true, left, not());
        }
        return left;
    }

    private Expression not() {
        if (!tokens.isName("not")) {
            return comparison();
        }
        tokens.enter();
        tokens.next();
        Expression negated = new Expressions.Not(not());
        tokens.leave();
        return negated;
    }

    private Expression comparison() {
        Expression first = sum();
        List<String> operators = new ArrayList<>();
        List<Expression> others = new ArrayList<>();
        while (true) {
            Token token = tokens.current();
            if (token.type() == Token.Type.OPERATOR && COMPARISONS.contains(token.text())) {
                operators.add(tokens.next().text());
            } else if (tokens.skipName("in")) {
                operators.add("in");
            } else if (token.isName("not") && tokens.following().isName("in")) {
                tokens.next();
                tokens.next();
                operators.add("not in");
            } else {
                break;
            }
            others.add(sum());
        }
        return operators.isEmpty() ? first : new Expressions.Comparison(first, operators, others);
    }

    private Expression sum() {
        Expression left = concatenation();
        for (int length = 0; tokens.isOperator("+") || tokens.isOperator("-"); length++) {
            tokens.requireShort(length);
            left = new Expressions.Arithmetic(tokens.next().text(), left, concatenation());
        }
        return left;
    }

    private Expression concatenation() {
        Expression first = product();
        if (!tokens.isOperator("~")) {
            return first;
        }
        List<Expression> parts = new ArrayList<>(List.of(first));
        while (tokens.skipOperator("~")) {
            parts.add(product());
        }
        return new Expressions.Concatenation(parts);
    }

    private Expression product() {
        Expression left = power();
        Set<String> operators = Set.of("*", "/", "//", "%");
        for (int length = 0;
                tokens.is(Token.Type.OPERATOR)
                        && operators.contains(tokens.current().text());
                length++) {
            tokens.requireShort(length);
            left = new Expressions.Arithmetic(tokens.next().text(), left, power());
        }
        return left;
    }

    private Expression power() {
        Expression left = unary(true);
        for (int length = 0; tokens.skipOperator("**"); length++) {
            tokens.requireShort(length);
            Expression exponent = unary(true);
            if (!(left instanceof Expressions.Constant) && readsNothing(left) && !readsNothing(exponent)) {
                // Jinja computes -2 first, and writes it as Python, where the power binds closer than the sign.
                throw tokens.failure("the power of an expression of constants is not supported");
            }
            left = new Expressions.Arithmetic("**", left, exponent);
        }
        return left;
    }

    private static boolean readsNothing(Expression expression) {
        return !(expression instanceof Expressions.Name)
                && expression.parts().stream().allMatch(ExpressionParser::readsNothing);
    }

    /** A sign binds closer than a filter: {@code -1|abs} is 1. */
    private Expression unary(boolean withFilters) {
        tokens.enter();
        Expression value;
        if (tokens.isOperator("-") || tokens.isOperator("+")) {
            value = new Expressions.Sign(tokens.next().text().equals("-"), unary(false));
        } else {
            value = primaries.primary();
        }
        value = primaries.postfix(value);
        value = withFilters ? primaries.filtered(value) : value;
        tokens.leave();
        return value;
    }

    /**
     * One expression, or several with commas between them.
     *
     * @param mayBeEmpty whether {@code ()} is permitted
     * @param ends names that end the tuple
     */
    public Expression tuple(boolean withConditional, boolean mayBeEmpty, String... ends) {
        tokens.enter();
        List<Expression> items = new ArrayList<>();
        boolean isTuple = false;
        while (true) {
            if (!items.isEmpty()) {
                tokens.expectOperator(",");
            }
            if (isTupleEnd(ends)) {
                break;
            }
            items.add(withConditional ? expression() : or());
            if (!tokens.isOperator(",")) {
                break;
            }
            isTuple = true;
        }
        tokens.leave();
        if (!isTuple && items.size() == 1) {
            return items.get(0);
        } else if (!isTuple && !mayBeEmpty) {
            throw tokens.failure("expected an expression, not " + tokens.current());
        }
        return new Expressions.ListLiteral(items, true);
    }

    private boolean isTupleEnd(String... ends) {
        for (String end : ends) {
            if (tokens.isName(end)) {
                return true;
            }
        }
        return tokens.is(Token.Type.VARIABLE_END) || tokens.is(Token.Type.BLOCK_END) || tokens.isOperator(")");
    }

    /** One filter or several, from the bar of the first. */
    public Expression filters(Expression object) {
        return primaries.filters(object);
    }

    /** A filter, from its name. */
    public Expression filter(Expression object) {
        return primaries.filter(object);
    }

    /** What can be assigned to. */
    public Target target(boolean mayBeAttribute, String... ends) {
        List<Target> targets = new ArrayList<>();
        boolean isTuple = false;
        while (true) {
            if (!targets.isEmpty()) {
                tokens.expectOperator(",");
            }
            if (isTupleEnd(ends)) {
                break;
            }
            targets.add(simpleTarget(mayBeAttribute));
            if (!tokens.isOperator(",")) {
                break;
            }
            isTuple = true;
        }
        if (!isTuple && targets.size() == 1) {
            return targets.get(0);
        } else if (!isTuple) {
            throw tokens.failure("expected a name, not " + tokens.current());
        }
        return new Target.Unpacked(targets);
    }

    private Target simpleTarget(boolean mayBeAttribute) {
        tokens.enter();
        Target target;
        if (tokens.skipOperator("(")) {
            target = target(false);
            tokens.expectOperator(")");
        } else {
            Token name = tokens.expect(Token.Type.NAME);
            if (mayBeAttribute && tokens.isOperator(".") && !CONSTANTS.contains(name.text())) {
                tokens.next();
                names.read(name.text());
                target = new Target.Attribute(
                        name.text(), tokens.expect(Token.Type.NAME).text());
            } else {
                target = new Target.Variable(store(name));
            }
        }
        tokens.leave();
        return target;
    }

    /** A name that is set. */
    public String store(Token name) {
        if (CONSTANTS.contains(name.text())) {
            throw tokens.failure("'" + name.text() + "' cannot be assigned to");
        } else if (name.text().equals("loop") && names.isInLoop()) {
            throw tokens.failure("'loop' cannot be assigned to within a loop");
        }
        return name.text();
    }
}
