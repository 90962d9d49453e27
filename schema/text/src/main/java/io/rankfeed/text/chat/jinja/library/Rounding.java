package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Numbers;
import io.rankfeed.text.chat.jinja.value.Operators;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import java.math.BigDecimal;
import java.math.BigInteger;

/** The filter {@code round}. */
final class Rounding {
    private Rounding() {}

    static Object round(Arguments.Bound bound) {
        String method = bound.text("method").toString();
        Object value = Filters.number(bound);
        int precision = bound.index("precision");
        if (method.equals("common")) {
            return Numbers.rounded(value, precision);
        } else if (!method.equals("ceil") && !method.equals("floor")) {
            throw TemplateError.of("the argument 'method' of the filter 'round' must be common, ceil or floor");
        }
        Object scale = Operators.operate("**", 10L, (long) precision, bound.budget());
        Object scaled = Operators.operate("*", value, scale, bound.budget());
        BigInteger whole = Numbers.integer(scaled);
        if (whole == null) {
            double real = ((Number) scaled).doubleValue();
            if (!Double.isFinite(real)) {
                throw TemplateError.of("the filter 'round' cannot round an infinite float or NaN");
            }
            whole = new BigDecimal(method.equals("ceil") ? Math.ceil(real) : Math.floor(real)).toBigInteger();
        }
        return Operators.operate("/", Numbers.narrow(whole), scale, bound.budget());
    }
}
