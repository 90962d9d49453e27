package io.rankfeed.spark.chat.jinja.library;

import io.rankfeed.spark.chat.jinja.value.Arguments;
import io.rankfeed.spark.chat.jinja.value.Budget;
import io.rankfeed.spark.chat.jinja.value.Numbers;
import io.rankfeed.spark.chat.jinja.value.Operators;
import io.rankfeed.spark.chat.jinja.value.TemplateError;
import java.math.BigInteger;

/** The filter {@code round}. */
public final class Rounding {
    private Rounding() {}

    public static Object round(Arguments.Bound bound) {
        String method = bound.text("method").toString();
        Object value = Filters.number(bound);
        int precision = bound.index("precision");
        switch (method) {
            case "common" -> {
                return Numbers.rounded(value, precision);
            }
            case "ceil", "floor" -> {
                Object scale = Numbers.operate("**", 10L, (long) precision);
                Object scaled = Operators.operate("*", value, requireScale(scale), new Budget());
                BigInteger whole = Numbers.integer(scaled);
                double real = whole == null ? ((Number) scaled).doubleValue() : 0;
                if (whole == null && !Double.isFinite(real)) {
                    throw TemplateError.of("round: the number is not finite");
                } else if (whole == null) {
                    double bounded = method.equals("ceil") ? Math.ceil(real) : Math.floor(real);
                    whole = new java.math.BigDecimal(bounded).toBigInteger();
                }
                return Operators.operate("/", Numbers.narrow(whole), requireScale(scale), new Budget());
            }
            default -> throw TemplateError.of("round: the method must be common, ceil or floor");
        }
    }

    private static Object requireScale(@org.jspecify.annotations.Nullable Object scale) {
        if (scale == null) {
            throw new IllegalStateException("two numbers have a power");
        }
        return scale;
    }
}
