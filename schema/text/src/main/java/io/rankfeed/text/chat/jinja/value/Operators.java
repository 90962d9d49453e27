package io.rankfeed.text.chat.jinja.value;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Python's operators on any values. */
public final class Operators {
    private Operators() {}

    public static Object signed(boolean isNegative, Object value) {
        if (!Numbers.isNumber(value)) {
            Values.requireDefined(value);
            throw TemplateError.of("a value of type " + Values.typeName(value) + " has no sign");
        }
        return isNegative ? Numbers.negative(value) : Numbers.negative(Numbers.negative(value));
    }

    public static Object operate(String operator, Object left, Object right, Budget budget) {
        Object number = Numbers.operate(operator, left, right);
        if (number != null) {
            if (number instanceof BigInteger whole) {
                budget.steps(whole.bitLength());
            }
            return number;
        }
        Values.requireDefined(left);
        if (operator.equals("%") && left instanceof Text format) {
            return PercentFormat.format(format, right, budget);
        }
        Values.requireDefined(right);
        Object sequence =
                switch (operator) {
                    case "+" -> sum(left, right, budget);
                    case "*" -> {
                        Object repeated = repeated(left, right, budget);
                        yield repeated == null ? repeated(right, left, budget) : repeated;
                    }
                    default -> null;
                };
        if (sequence == null) {
            throw TemplateError.of("'" + operator + "' cannot be applied to a value of type " + Values.typeName(left)
                    + " and a value of type " + Values.typeName(right));
        }
        return sequence;
    }

    private static @Nullable Object sum(Object left, Object right, Budget budget) {
        if (left instanceof Text a && right instanceof Text b) {
            return PythonStr.plus(a, b, budget);
        } else if (left instanceof List<?> a
                && right instanceof List<?> b
                && !(left instanceof Range)
                && Values.typeName(left).equals(Values.typeName(right))) {
            budget.elements((long) a.size() + b.size());
            List<Object> all = new ArrayList<>(a.size() + b.size());
            all.addAll(a);
            all.addAll(b);
            return left instanceof Tuple ? new Tuple(all) : all;
        }
        return null;
    }

    private static @Nullable Object repeated(Object sequence, Object times, Budget budget) {
        boolean isSequence = sequence instanceof Text || (sequence instanceof List && !(sequence instanceof Range));
        BigInteger whole = Numbers.integer(times);
        if (!isSequence || whole == null) {
            return null;
        }
        if (whole.bitLength() >= Long.SIZE) {
            throw TemplateError.of("an integer is too large to repeat a sequence");
        }
        int count = Math.max(0, Numbers.index(times));
        if (sequence instanceof Text text) {
            budget.allocate((long) text.length() * count);
            Text.Builder out = new Text.Builder();
            for (int i = 0; i < count && !text.isEmpty(); i++) {
                out.append(text);
            }
            return text.isSafe() ? out.text().safe() : out.text();
        }
        List<?> list = (List<?>) sequence;
        budget.elements((long) list.size() * count);
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < count && !list.isEmpty(); i++) {
            all.addAll(list);
        }
        return sequence instanceof Tuple ? new Tuple(all) : all;
    }

    public static boolean compare(String operator, Object left, Object right, Budget budget) {
        return switch (operator) {
            case "==" -> Values.isEqual(left, right, budget);
            case "!=" -> !Values.isEqual(left, right, budget);
            case "in" -> Values.contains(right, left, budget);
            case "not in" -> !Values.contains(right, left, budget);
            default -> Values.isOrdered(operator, left, right, budget);
        };
    }
}
