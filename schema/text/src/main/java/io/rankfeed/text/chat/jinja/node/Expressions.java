package io.rankfeed.text.chat.jinja.node;

import io.rankfeed.text.chat.jinja.library.Attributes;
import io.rankfeed.text.chat.jinja.value.Dict;
import io.rankfeed.text.chat.jinja.value.None;
import io.rankfeed.text.chat.jinja.value.Operators;
import io.rankfeed.text.chat.jinja.value.PythonStr;
import io.rankfeed.text.chat.jinja.value.Slices;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Tuple;
import io.rankfeed.text.chat.jinja.value.Undefined;
import io.rankfeed.text.chat.jinja.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The nodes of expressions. */
public final class Expressions {
    private Expressions() {}

    public record Constant(Object constant) implements Expression {
        @Override
        public Object value(Scope scope) {
            return constant;
        }
    }

    public record Name(String name) implements Expression {
        @Override
        public Object value(Scope scope) {
            scope.budget().step();
            return scope.get(name);
        }

        @Override
        public void names(Names names) {
            names.read(name);
        }
    }

    /** An expression of others. */
    private record Node(List<Expression> parts, Expression evaluation) implements Expression {
        @Override
        public Object value(Scope scope) {
            return evaluation.value(scope);
        }
    }

    public static Expression list(List<Expression> parts, boolean isTuple) {
        return new Node(parts, scope -> {
            scope.budget().elements(parts.size());
            List<Object> items = new ArrayList<>(parts.size());
            parts.forEach(part -> items.add(part.value(scope)));
            return isTuple ? new Tuple(items) : items;
        });
    }

    /** @param parts keys and values in turn */
    public static Expression dict(List<Expression> parts) {
        return new Node(parts, scope -> {
            scope.budget().elements(2L * parts.size());
            Dict dict = new Dict();
            for (int i = 0; i < parts.size(); i += 2) {
                dict.put(parts.get(i).value(scope), parts.get(i + 1).value(scope));
            }
            return dict;
        });
    }

    public static Expression not(Expression part) {
        return new Node(List.of(part), scope -> !Values.isTrue(part.value(scope)));
    }

    public static Expression sign(boolean isNegative, Expression part) {
        return new Node(List.of(part), scope -> Operators.signed(isNegative, part.value(scope)));
    }

    /** {@code and} and {@code or}: the value of the operand that decides. */
    public static Expression choice(String operator, Expression left, Expression right) {
        return new Node(List.of(left, right), scope -> {
            Object first = left.value(scope);
            return Values.isTrue(first) == operator.equals("and") ? right.value(scope) : first;
        });
    }

    public static Expression conditional(Expression test, Expression then, Optional<Expression> otherwise) {
        Expression other = otherwise.orElse(new Constant(new Undefined("the value of an inline 'if' without 'else'")));
        return new Node(
                List.of(test, then, other),
                scope -> Values.isTrue(test.value(scope)) ? then.value(scope) : other.value(scope));
    }

    public static Expression arithmetic(String operator, Expression left, Expression right) {
        return new Node(List.of(left, right), scope -> {
            scope.budget().step();
            return Operators.operate(operator, left.value(scope), right.value(scope), scope.budget());
        });
    }

    public static Expression concatenation(List<Expression> parts) {
        return new Node(parts, scope -> {
            List<Text> texts = new ArrayList<>(parts.size());
            parts.forEach(part -> texts.add(Values.text(part.value(scope), scope.budget())));
            return PythonStr.join(Text.EMPTY, texts, scope.budget());
        });
    }

    /** {@code a < b <= c}: each operand is evaluated once, and as long as the comparisons before it hold. */
    public static Expression comparison(List<Expression> operands, List<String> operators) {
        return new Node(operands, scope -> {
            Object left = operands.get(0).value(scope);
            for (int i = 0; i < operators.size(); i++) {
                scope.budget().step();
                Object right = operands.get(i + 1).value(scope);
                if (!Operators.compare(operators.get(i), left, right, scope.budget())) {
                    return false;
                }
                left = right;
            }
            return true;
        });
    }

    public static Expression attribute(Expression object, String name) {
        return new Node(List.of(object), scope -> {
            scope.budget().step();
            return Attributes.attribute(object.value(scope), name);
        });
    }

    public static Expression item(Expression object, Expression key) {
        return new Node(List.of(object, key), scope -> {
            scope.budget().step();
            return Attributes.item(object.value(scope), key.value(scope), scope.budget());
        });
    }

    public record Slice(Optional<Expression> begin, Optional<Expression> end, Optional<Expression> step)
            implements Expression {
        @Override
        public Object value(Scope scope) {
            return new Slices(value(begin, scope), value(end, scope), value(step, scope));
        }

        private static Object value(Optional<Expression> part, Scope scope) {
            return part.isPresent() ? part.get().value(scope) : None.NONE;
        }

        @Override
        public List<Expression> parts() {
            return Stream.of(begin, end, step).flatMap(Optional::stream).toList();
        }
    }
}
