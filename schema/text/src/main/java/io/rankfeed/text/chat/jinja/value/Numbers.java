package io.rankfeed.text.chat.jinja.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Numbers of Python: integers without bounds (a Long, or a BigInteger where that is too small), floats, booleans. */
public final class Numbers {
    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);
    /** The size of the largest integer that Python prints: 4,300 digits. */
    private static final int MAX_BITS = 14_284;

    private static final double MIN_EXPONENT = 1e16;
    private static final double MIN_PLAIN = 1e-4;
    private static final int MAX_DIGITS = 17;

    private Numbers() {}

    /** A Long where it fits. */
    public static Object narrow(BigInteger value) {
        boolean fits = value.compareTo(MIN) >= 0 && value.compareTo(MAX) <= 0;
        return fits ? (Object) value.longValue() : value;
    }

    public static boolean isNumber(Object value) {
        return value instanceof Number || value instanceof Boolean;
    }

    /** An int or a bool; null for other values. */
    public static @Nullable BigInteger integer(Object value) {
        if (value instanceof Long number) {
            return BigInteger.valueOf(number);
        } else if (value instanceof BigInteger number) {
            return number;
        }
        return value instanceof Boolean bool ? (bool ? BigInteger.ONE : BigInteger.ZERO) : null;
    }

    /** An index or a count, as Python's {@code operator.index}. */
    public static int index(Object value) {
        BigInteger whole = integer(value);
        if (whole == null) {
            throw TemplateError.of("a value of type " + Values.typeName(value) + " is not an integer");
        }
        return whole.min(BigInteger.valueOf(Integer.MAX_VALUE))
                .max(BigInteger.valueOf(-Integer.MAX_VALUE))
                .intValue();
    }

    /** Returns a number as a float. Throws a {@link TemplateError} if an integer is too large for it. */
    public static double real(Object value) {
        BigInteger whole = integer(value);
        if (whole == null) {
            return ((Number) value).doubleValue();
        }
        double real = whole.doubleValue();
        if (Double.isInfinite(real)) {
            throw TemplateError.of("an integer is too large for a float");
        }
        return real;
    }

    /** Compares two numbers exactly, without a conversion to float; a NaN is neither less nor equal nor greater: null. */
    public static @Nullable Integer compare(Object left, Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            return Long.compare(a, b);
        }
        BigInteger a = integer(left);
        BigInteger b = integer(right);
        if (a != null && b != null) {
            return a.compareTo(b);
        }
        double x = a == null ? ((Number) left).doubleValue() : 0;
        double y = b == null ? ((Number) right).doubleValue() : 0;
        if (Double.isNaN(x) || Double.isNaN(y)) {
            return null;
        } else if (Double.isInfinite(x) || Double.isInfinite(y)) {
            return Double.compare(x, y);
        }
        return (a == null ? new BigDecimal(x) : new BigDecimal(a))
                .compareTo(b == null ? new BigDecimal(y) : new BigDecimal(b));
    }

    /** The result of an operator of Python; null if it is not one of two numbers. */
    public static @Nullable Object operate(String operator, Object left, Object right) {
        if (!isNumber(left) || !isNumber(right)) {
            return null;
        }
        BigInteger a = integer(left);
        BigInteger b = integer(right);
        if (a != null && b != null) {
            return operator.equals("/") ? (Object) quotient(a, b) : narrow(whole(operator, a, b));
        }
        return real(operator, real(left), real(right));
    }

    private static BigInteger whole(String operator, BigInteger a, BigInteger b) {
        if ((operator.equals("//") || operator.equals("%")) && b.signum() == 0) {
            throw TemplateError.of("division by zero");
        }
        return switch (operator) {
            case "+" -> a.add(b);
            case "-" -> a.subtract(b);
            case "*" -> {
                requireBits((long) a.bitLength() + b.bitLength());
                yield a.multiply(b);
            }
            case "//" -> floor(a, b);
            case "%" -> a.subtract(floor(a, b).multiply(b));
            case "**" -> {
                if (b.signum() < 0) {
                    throw TemplateError.unsupported("a power with a negative exponent");
                }
                requireBits(a.abs().compareTo(BigInteger.ONE) <= 0 ? 1 : (long) a.bitLength() * clamp(b));
                yield a.abs().compareTo(BigInteger.ONE) <= 0 ? unitPower(a, b) : a.pow(b.intValueExact());
            }
            default -> throw new IllegalArgumentException(operator);
        };
    }

    private static BigInteger unitPower(BigInteger a, BigInteger b) {
        return b.signum() == 0 ? BigInteger.ONE : a.signum() < 0 && !b.testBit(0) ? BigInteger.ONE : a;
    }

    private static long clamp(BigInteger value) {
        return value.min(BigInteger.valueOf(Integer.MAX_VALUE)).longValue();
    }

    private static void requireBits(long bits) {
        if (bits > MAX_BITS) {
            throw TemplateError.of("an integer has more than " + MAX_BITS + " bits");
        }
    }

    private static BigInteger floor(BigInteger a, BigInteger b) {
        BigInteger[] parts = a.divideAndRemainder(b);
        return parts[1].signum() != 0 && parts[1].signum() != b.signum() ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    private static double quotient(BigInteger a, BigInteger b) {
        if (b.signum() == 0) {
            throw TemplateError.of("division by zero");
        }
        if (a.bitLength() <= 53 && b.bitLength() <= 53) {
            return a.doubleValue() / b.doubleValue();
        }
        // Correctly rounded: enough digits, and a sticky one for what is cut off.
        int scale = Math.max(0, b.bitLength() - a.bitLength()) + 1100;
        BigInteger[] parts = a.abs().shiftLeft(scale).divideAndRemainder(b.abs());
        BigInteger digits = parts[1].signum() == 0 ? parts[0] : parts[0].setBit(0);
        BigDecimal exact = new BigDecimal(digits).divide(new BigDecimal(BigInteger.ONE.shiftLeft(scale)));
        double size = exact.doubleValue();
        if (Double.isInfinite(size)) {
            throw TemplateError.of("the result is too large for a float");
        }
        return a.signum() * b.signum() < 0 ? -size : size;
    }

    private static double real(String operator, double a, double b) {
        if (b == 0 && (operator.equals("/") || operator.equals("//") || operator.equals("%"))) {
            throw TemplateError.of("division by zero");
        }
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> a / b;
            case "//" -> floorQuotient(a, b);
            case "%" -> modulo(a, b);
            case "**" -> throw TemplateError.unsupported("a power that is not of integers");
            default -> throw new IllegalArgumentException(operator);
        };
    }

    /** Computes the quotient as {@code float_divmod} of CPython does. */
    private static double floorQuotient(double a, double b) {
        double remainder = a % b;
        double quotient = (a - remainder) / b;
        if (remainder != 0 && (b < 0) != (remainder < 0)) {
            quotient -= 1;
        }
        if (quotient == 0) {
            return Math.copySign(0, a / b);
        }
        double floor = Math.floor(quotient);
        return quotient - floor > 0.5 ? floor + 1 : floor;
    }

    private static double modulo(double a, double b) {
        double remainder = a % b;
        if (remainder == 0) {
            return Math.copySign(0, b);
        }
        return (b < 0) != (remainder < 0) ? remainder + b : remainder;
    }

    public static Object negative(Object value) {
        BigInteger whole = integer(value);
        return whole != null ? narrow(whole.negate()) : (Object) (-((Number) value).doubleValue());
    }

    /** {@code round(value, digits)}: half to even. */
    public static Object rounded(Object value, int digits) {
        BigInteger whole = integer(value);
        if (whole != null) {
            int scale = Math.max(digits, -20_000);
            return digits >= 0
                    ? narrow(whole)
                    : narrow(new BigDecimal(whole)
                            .setScale(scale, RoundingMode.HALF_EVEN)
                            .toBigIntegerExact());
        }
        double real = ((Number) value).doubleValue();
        if (!Double.isFinite(real) || digits > 330 || real == 0) {
            return real;
        } else if (digits < -330) {
            return Math.copySign(0, real);
        }
        double rounded =
                new BigDecimal(real).setScale(digits, RoundingMode.HALF_EVEN).doubleValue();
        if (Double.isInfinite(rounded)) {
            throw TemplateError.of("the rounded value is too large for a float");
        }
        return Math.copySign(Math.abs(rounded), real);
    }

    /** {@code repr} of a float: the fewest digits that give the same float again. */
    public static String written(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        } else if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        String sign = Math.copySign(1, value) < 0 ? "-" : "";
        double size = Math.abs(value);
        if (size == 0) {
            return sign + "0.0";
        }
        BigDecimal shortest = shortest(size);
        if (size >= MIN_PLAIN && size < MIN_EXPONENT) {
            String plain = shortest.toPlainString();
            return sign + (plain.contains(".") ? plain : plain + ".0");
        }
        String digits = shortest.unscaledValue().toString();
        int exponent = digits.length() - 1 - shortest.scale();
        String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        return sign
                + mantissa
                + (exponent < 0 ? "e-" : "e+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    /** Java before 19 writes more digits than needed. */
    private static BigDecimal shortest(double size) {
        BigDecimal exact = new BigDecimal(size);
        for (int digits = 1; digits < MAX_DIGITS; digits++) {
            BigDecimal near = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (near.doubleValue() == size) {
                return near.stripTrailingZeros();
            }
        }
        return exact.round(new MathContext(MAX_DIGITS, RoundingMode.HALF_EVEN)).stripTrailingZeros();
    }
}
