package io.rankfeed.text.chat.jinja.parse;

import io.rankfeed.text.chat.jinja.node.Expression;
import io.rankfeed.text.chat.jinja.node.Expressions;
import io.rankfeed.text.chat.jinja.node.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Parses expressions, by descent: conditional, or, and, not, comparison, sum, concatenation, product, power, unary, primary. */
public final class ExpressionParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=", "in");
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
        for (int length = 0; tokens.is("if"); length++) {
            tokens.requireShort(length);
            tokens.next();
            names.enterBranch();
            Expression test = or();
            Optional<Expression> otherwise = tokens.skip("else") ? Optional.of(expression()) : Optional.empty();
            names.leaveBranch();
            value = Expressions.conditional(test, value, otherwise);
        }
        tokens.leave();
        return value;
    }

    /** A node of an operator and two operands. */
    private interface Binary {
        Expression of(String operator, Expression left, Expression right);
    }

    /** Operands with operators between them, of which the first binds closest. */
    private Expression chain(Supplier<Expression> operand, Set<String> operators, Binary binary) {
        Expression left = operand.get();
        for (int length = 0; tokens.isAny(operators); length++) {
            tokens.requireShort(length);
            left = binary.of(tokens.next().text(), left, operand.get());
        }
        return left;
    }

    public Expression or() {
        return chain(this::and, Set.of("or"), Expressions::choice);
    }

    private Expression and() {
        return chain(this::not, Set.of("and"), Expressions::choice);
    }

    private Expression not() {
        if (!tokens.is("not")) {
            return comparison();
        }
        tokens.enter();
        tokens.next();
        Expression negated = Expressions.not(not());
        tokens.leave();
        return negated;
    }

    private Expression comparison() {
        List<Expression> operands = new ArrayList<>(List.of(sum()));
        List<String> operators = new ArrayList<>();
        while (true) {
            if (tokens.isAny(COMPARISONS)) {
                operators.add(tokens.next().text());
            } else if (tokens.is("not") && tokens.following().is("in")) {
                tokens.next();
                operators.add("not " + tokens.next().text());
            } else {
                return operators.isEmpty() ? operands.get(0) : Expressions.comparison(operands, operators);
            }
            operands.add(sum());
        }
    }

    private Expression sum() {
        return chain(this::concatenation, Set.of("+", "-"), Expressions::arithmetic);
    }

    private Expression concatenation() {
        Expression first = product();
        if (!tokens.is("~")) {
            return first;
        }
        List<Expression> parts = new ArrayList<>(List.of(first));
        while (tokens.skip("~")) {
            parts.add(product());
        }
        return Expressions.concatenation(parts);
    }

    private Expression product() {
        return chain(this::power, Set.of("*", "/", "//", "%"), Expressions::arithmetic);
    }

    private Expression power() {
        Expression left = unary(true);
        for (int length = 0; tokens.skip("**"); length++) {
            tokens.requireShort(length);
            Expression exponent = unary(true);
            if (!(left instanceof Expressions.Constant) && readsNothing(left) && !readsNothing(exponent)) {
                // Jinja computes -2 first, and writes it as Python, where the power binds closer than the sign.
                throw tokens.failure("the power of an expression of constants is not supported");
            }
            left = Expressions.arithmetic("**", left, exponent);
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
        if (tokens.is("-") || tokens.is("+")) {
            value = Expressions.sign(tokens.next().text().equals("-"), unary(false));
        } else {
            value = primaries.primary();
        }
        value = primaries.postfix(value);
        value = withFilters ? primaries.filtered(value) : value;
        tokens.leave();
        return value;
    }

    /**
     * Parses one expression, or several with commas between them.
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
                tokens.expect(",");
            }
            if (isTupleEnd(ends)) {
                break;
            }
            items.add(withConditional ? expression() : or());
            if (!tokens.is(",")) {
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
        return Expressions.list(items, true);
    }

    private boolean isTupleEnd(String... ends) {
        boolean isTagEnd = tokens.is(Token.Type.VARIABLE_END) || tokens.is(Token.Type.BLOCK_END);
        return isTagEnd || tokens.is(")") || tokens.isAny(List.of(ends));
    }

    /** Parses one filter or several, from the bar of the first. */
    public Expression filters(Expression object) {
        return primaries.filters(object);
    }

    /** A filter, from its name. */
    public Expression filter(Expression object) {
        return primaries.filter(object);
    }

    /** Parses the left side of an assignment. */
    public Target target(boolean mayBeAttribute, String... ends) {
        List<Target> targets = new ArrayList<>();
        boolean isTuple = false;
        while (true) {
            if (!targets.isEmpty()) {
                tokens.expect(",");
            }
            if (isTupleEnd(ends)) {
                break;
            }
            targets.add(simpleTarget(mayBeAttribute));
            if (!tokens.is(",")) {
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
        if (tokens.skip("(")) {
            target = target(false);
            tokens.expect(")");
        } else {
            Token name = tokens.expect(Token.Type.NAME);
            if (mayBeAttribute && tokens.is(".") && !CONSTANTS.contains(name.text())) {
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
