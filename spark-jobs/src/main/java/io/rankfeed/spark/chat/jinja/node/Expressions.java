package io.rankfeed.spark.chat.jinja.node;

import io.rankfeed.spark.chat.jinja.library.Attributes;
import io.rankfeed.spark.chat.jinja.value.Dict;
import io.rankfeed.spark.chat.jinja.value.None;
import io.rankfeed.spark.chat.jinja.value.Operators;
import io.rankfeed.spark.chat.jinja.value.PythonStr;
import io.rankfeed.spark.chat.jinja.value.Slices;
import io.rankfeed.spark.chat.jinja.value.Text;
import io.rankfeed.spark.chat.jinja.value.Tuple;
import io.rankfeed.spark.chat.jinja.value.Undefined;
import io.rankfeed.spark.chat.jinja.value.Values;
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

    public record ListLiteral(List<Expression> parts, boolean isTuple) implements Expression {
        @Override
        public Object value(Scope scope) {
            scope.budget().elements(parts.size());
            List<Object> items = new ArrayList<>(parts.size());
            parts.forEach(part -> items.add(part.value(scope)));
            return isTuple ? new Tuple(items) : items;
        }
    }

    public record DictLiteral(List<Expression> keys, List<Expression> values) implements Expression {
        @Override
        public Object value(Scope scope) {
            scope.budget().elements(4L * keys.size());
            Dict dict = new Dict();
            for (int i = 0; i < keys.size(); i++) {
                dict.put(keys.get(i).value(scope), values.get(i).value(scope));
            }
            return dict;
        }

        @Override
        public List<Expression> parts() {
            List<Expression> parts = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                parts.add(keys.get(i));
                parts.add(values.get(i));
            }
            return parts;
        }
    }

    public record Not(Expression part) implements Expression {
        @Override
        public Object value(Scope scope) {
            return !Values.isTrue(part.value(scope));
        }

        @Override
        public List<Expression> parts() {
            return List.of(part);
        }
    }

    public record Sign(boolean isNegative, Expression part) implements Expression {
        @Override
        public Object value(Scope scope) {
            return Operators.signed(isNegative, part.value(scope));
        }

        @Override
        public List<Expression> parts() {
            return List.of(part);
        }
    }

    /** {@code and} and {@code or}: the value of the operand that decides. */
    public record Choice(boolean isAnd, Expression left, Expression right) implements Expression {
        @Override
        public Object value(Scope scope) {
            Object first = left.value(scope);
            return Values.isTrue(first) == isAnd ? right.value(scope) : first;
        }

        @Override
        public List<Expression> parts() {
            return List.of(left, right);
        }
    }

    public record Conditional(Expression test, Expression then, Optional<Expression> otherwise) implements Expression {
        @Override
        public Object value(Scope scope) {
            if (Values.isTrue(test.value(scope))) {
                return then.value(scope);
            }
            return otherwise.isPresent()
                    ? otherwise.get().value(scope)
                    : new Undefined("the value of an inline 'if' without 'else'");
        }

        @Override
        public List<Expression> parts() {
            return Stream.concat(Stream.of(test, then), otherwise.stream()).toList();
        }
    }

    public record Arithmetic(String operator, Expression left, Expression right) implements Expression {
        @Override
        public Object value(Scope scope) {
            scope.budget().step();
            return Operators.operate(operator, left.value(scope), right.value(scope), scope.budget());
        }

        @Override
        public List<Expression> parts() {
            return List.of(left, right);
        }
    }

    public record Concatenation(List<Expression> parts) implements Expression {
        @Override
        public Object value(Scope scope) {
            List<Text> texts = new ArrayList<>(parts.size());
            parts.forEach(part -> texts.add(Values.text(part.value(scope), scope.budget())));
            return PythonStr.join(Text.EMPTY, texts, scope.budget());
        }
    }

    /** {@code a < b <= c}: each operand is evaluated once, and as long as the comparisons before it hold. */
    public record Comparison(Expression first, List<String> operators, List<Expression> others) implements Expression {
        @Override
        public Object value(Scope scope) {
            Object left = first.value(scope);
            for (int i = 0; i < operators.size(); i++) {
                scope.budget().step();
                Object right = others.get(i).value(scope);
                if (!Operators.compare(operators.get(i), left, right, scope.budget())) {
                    return false;
                }
                left = right;
            }
            return true;
        }

        @Override
        public List<Expression> parts() {
            return Stream.concat(Stream.of(first), others.stream()).toList();
        }
    }

    public record Attribute(Expression object, String name) implements Expression {
        @Override
        public Object value(Scope scope) {
            scope.budget().step();
            return Attributes.attribute(object.value(scope), name);
        }

        @Override
        public List<Expression> parts() {
            return List.of(object);
        }
    }

    public record Item(Expression object, Expression key) implements Expression {
        @Override
        public Object value(Scope scope) {
            scope.budget().step();
            return Attributes.item(object.value(scope), key.value(scope), scope.budget());
        }

        @Override
        public List<Expression> parts() {
            return List.of(object, key);
        }
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
