package io.rankfeed.text.chat.jinja.library;

import io.rankfeed.text.chat.jinja.value.Arguments;
import io.rankfeed.text.chat.jinja.value.Numbers;
import io.rankfeed.text.chat.jinja.value.PythonStr;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import io.rankfeed.text.chat.jinja.value.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The filters {@code int} and {@code float}, which give a default where the value is not a number. */
final class Conversions {
    /** Possessive, because backtracking over a long text of digits takes minutes. */
    private static final Pattern FLOAT = Pattern.compile(
            "[+-]?(?:[0-9]++(?:_[0-9]++)*+)?+\\.?+(?:[0-9]++(?:_[0-9]++)*+)?+" + "(?:e[+-]?[0-9]++(?:_[0-9]++)*+)?+");

    private static final Pattern FLOAT_DIGITS = Pattern.compile("[+-]?(?:[0-9][0-9_]*+\\.?|\\.[0-9]).*+");
    private static final Pattern SPECIAL = Pattern.compile("([+-]?)(inf|infinity|nan)");
    private static final Pattern INTEGER = Pattern.compile("([+-]?)(0[box])?_?([0-9a-z]++(?:_[0-9a-z]++)*+)");
    private static final int MAX_DIGITS = 4300;

    private Conversions() {}

    static Object integer(Arguments.Bound bound) {
        Object value = bound.value();
        Values.requireDefined(value);
        if (value instanceof Text text) {
            BigInteger whole = parsed(text.toString(), bound.index("base"));
            if (whole != null) {
                return Numbers.narrow(whole);
            }
        }
        BigInteger whole = Numbers.integer(value);
        if (whole != null) {
            return Numbers.narrow(whole);
        }
        Double real = realOrNull(value);
        if (real == null || Double.isNaN(real) || (Double.isInfinite(real) && value instanceof Text)) {
            return bound.get("default");
        } else if (Double.isInfinite(real)) {
            throw TemplateError.of("the filter 'int' cannot convert an infinite float");
        }
        return Numbers.narrow(new BigDecimal(real).toBigInteger());
    }

    static Object real(Arguments.Bound bound) {
        Object value = bound.value();
        Values.requireDefined(value);
        Double real = realOrNull(value);
        return real != null ? real : bound.get("default");
    }

    private static @Nullable Double realOrNull(Object value) {
        if (Numbers.isNumber(value)) {
            return Numbers.real(value);
        } else if (!(value instanceof Text)) {
            return null;
        }
        String written = stripped(value.toString());
        Matcher special = SPECIAL.matcher(written);
        if (special.matches()) {
            double size = special.group(2).equals("nan") ? Double.NaN : Double.POSITIVE_INFINITY;
            return special.group(1).equals("-") ? -size : size;
        }
        boolean isNumber = FLOAT_DIGITS.matcher(written).matches()
                && FLOAT.matcher(written).matches();
        return isNumber ? Double.valueOf(written.replace("_", "")) : null;
    }

    /** Parses text as Python's {@code int(text, base)}; null if it is not an integer. */
    private static @Nullable BigInteger parsed(String text, int base) {
        Matcher matcher = INTEGER.matcher(stripped(text));
        if ((base != 0 && base < 2) || base > 36 || !matcher.matches()) {
            return null;
        }
        String prefix = matcher.group(2);
        int ofPrefix = prefix == null ? 0 : prefix.equals("0b") ? 2 : prefix.equals("0o") ? 8 : 16;
        boolean hasPrefix = prefix != null && (base == 0 || base == ofPrefix);
        int radix = hasPrefix ? ofPrefix : base == 0 ? 10 : base;
        String digits = ((hasPrefix || prefix == null ? "" : prefix) + matcher.group(3)).replace("_", "");
        boolean isAfterUnderscore = !hasPrefix && text.matches("[+-]?_.*");
        boolean hasLeadingZero =
                base == 0 && prefix == null && digits.length() > 1 && digits.startsWith("0") && !digits.matches("0+");
        if (isAfterUnderscore || hasLeadingZero || digits.length() > MAX_DIGITS) {
            return null;
        }
        for (int i = 0; i < digits.length(); i++) {
            if (Character.digit(digits.charAt(i), radix) < 0) {
                return null;
            }
        }
        return new BigInteger(matcher.group(1) + digits, radix);
    }

    /** Removes surrounding whitespace, and converts to lower case and ASCII digits. */
    private static String stripped(String text) {
        StringBuilder ascii = new StringBuilder();
        PythonStr.strip(Text.of(text), PythonStr.SPACE, true, true)
                .toString()
                .codePoints()
                .forEach(point ->
                        ascii.appendCodePoint(Character.isDigit(point) ? '0' + Character.digit(point, 10) : point));
        return ascii.toString().toLowerCase(Locale.ROOT);
    }
}
