package io.rankfeed.text.chat.jinja.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code 'text' % values}: the conversions s, r, d, i, u, f and the percent sign, with flags, width and precision. */
public final class PercentFormat {
    private static final Pattern CONVERSION =
            Pattern.compile("%(?:\\(([^()]*)\\))?([-+ 0#]*)([0-9]{1,6})?(?:\\.([0-9]{1,6})?)?([a-zA-Z%])|%");
    private static final int MAX_PRECISION = 350;

    private PercentFormat() {}

    public static Text format(Text format, Object values, Budget budget) {
        if (format.isSafe()) {
            throw TemplateError.unsupported("'%' on a safe text");
        }
        List<?> positional = values instanceof Tuple tuple ? tuple : List.of(values);
        Text.Builder out = new Text.Builder();
        Matcher matcher = CONVERSION.matcher(format.toString());
        int begin = 0;
        int used = 0;
        while (matcher.find()) {
            out.append(format, begin, matcher.start());
            begin = matcher.end();
            String kind = matcher.group(5);
            if (kind == null) {
                throw TemplateError.of("'%' in a format is not followed by a conversion");
            } else if (kind.equals("%") && matcher.group().length() == 2) {
                out.append('%');
                continue;
            }
            Object value;
            if (matcher.group(1) != null) {
                if (!(values instanceof Dict dict)) {
                    throw TemplateError.of("a format with names requires a dict");
                }
                value = require(dict.get(matcher.group(1)), matcher.group(1));
            } else if (used < positional.size()) {
                value = positional.get(used++);
            } else {
                throw TemplateError.of("a format has more conversions than values");
            }
            String flags = matcher.group(2);
            int width = matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3));
            int precision = matcher.group(4) != null
                    ? Integer.parseInt(matcher.group(4))
                    : matcher.group().contains(".") ? 0 : -1;
            Text written = written(kind, flags, precision, value, budget);
            int missing = width - PythonStr.length(written);
            boolean isLeft = flags.contains("-");
            boolean isZero = flags.contains("0") && !isLeft && !kind.equals("s") && !kind.equals("r");
            int sign = isZero
                            && !written.isEmpty()
                            && "+- ".indexOf(written.toString().charAt(0)) >= 0
                    ? 1
                    : 0;
            out.append(written.slice(0, sign))
                    .append(PythonStr.padded(
                            written.slice(sign, written.length()),
                            isLeft ? 0 : missing,
                            isLeft ? missing : 0,
                            isZero ? "0" : " ",
                            budget));
        }
        boolean isUnused = used < positional.size() && !(values instanceof Dict) && !isEmptyList(values);
        if (isUnused) {
            throw TemplateError.of("not all values of a format are used");
        }
        budget.allocate(format.length());
        return out.append(format, begin, format.length()).text();
    }

    /** CPython accepts a list, which looks like a mapping, for a format without conversions. */
    private static boolean isEmptyList(Object values) {
        return values instanceof List && !(values instanceof Tuple);
    }

    private static Object require(@org.jspecify.annotations.Nullable Object value, String name) {
        if (value == null) {
            throw TemplateError.of("the values of a format have no key '" + name + "'");
        }
        return value;
    }

    private static Text written(String kind, String flags, int precision, Object value, Budget budget) {
        switch (kind) {
            case "s", "r" -> {
                Text text = kind.equals("s") ? Values.text(value, budget) : new Repr(budget).of(value);
                return precision < 0 || precision >= PythonStr.length(text)
                        ? text
                        : text.slice(0, PythonStr.offset(text, precision));
            }
            case "d", "i", "u" -> {
                BigInteger whole = Numbers.integer(value);
                if (whole == null && value instanceof Double real && Double.isFinite(real)) {
                    whole = new BigDecimal(real).toBigInteger();
                }
                if (precision >= 0) {
                    throw TemplateError.unsupported("a precision of the conversion %" + kind);
                } else if (whole == null) {
                    throw TemplateError.of("%" + kind + " cannot write a value of type " + Values.typeName(value));
                }
                return Text.of(sign(whole.signum() < 0, flags) + whole.abs());
            }
            case "f" -> {
                if (!Numbers.isNumber(value) || precision > MAX_PRECISION) {
                    throw TemplateError.of("%f cannot write a value of type " + Values.typeName(value));
                }
                return Text.of(fixed(Numbers.real(value), precision < 0 ? 6 : precision, flags));
            }
            default -> throw TemplateError.unsupported("the conversion %" + kind);
        }
    }

    /** Formats a number with {@code precision} digits after the decimal point. */
    public static String fixed(double value, int precision, String flags) {
        if (!Double.isFinite(value)) {
            throw TemplateError.unsupported("a format of an infinite number or NaN");
        }
        boolean isNegative = Math.copySign(1, value) < 0;
        String digits = new BigDecimal(Math.abs(value))
                .setScale(precision, RoundingMode.HALF_EVEN)
                .toPlainString();
        return sign(isNegative, flags) + digits;
    }

    private static String sign(boolean isNegative, String flags) {
        return isNegative ? "-" : flags.contains("+") ? "+" : flags.contains(" ") ? " " : "";
    }
}
