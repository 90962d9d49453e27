package io.rankfeed.schema.config;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.failure.Suggestion;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values of one word: how each type is written. */
final class Scalars {
    private static final Pattern INTEGER = Pattern.compile("-?[0-9][0-9_]{0,30}");
    /** Octal to YAML 1.1, decimal to YAML 1.2: whoever writes it may mean either. */
    private static final Pattern LEADING_ZERO = Pattern.compile("(-?)0[0_]*([0-9][0-9_]*)");

    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,30})?([eE][-+]?[0-9]{1,3})?");

    /** The records that are written as one word. */
    static final Set<Class<?>> RECORDS = Set.of(ByteSize.class, NumberOrAuto.class);

    private Scalars() {}

    /**
     * The value of this type, or null if the type is not written as one word.
     *
     * @throws BadValue if the word is not a value of the type
     */
    static @Nullable Object value(ConfigNode.Scalar scalar, Class<?> type) {
        if (type == String.class) {
            return scalar.text();
        } else if (type == boolean.class || type == Boolean.class) {
            return bool(scalar);
        } else if (type == int.class || type == Integer.class) {
            return (int) integer(scalar, Integer.MIN_VALUE, Integer.MAX_VALUE);
        } else if (type == long.class || type == Long.class) {
            return integer(scalar, Long.MIN_VALUE, Long.MAX_VALUE);
        } else if (type == BigInteger.class) {
            return whole(scalar);
        } else if (type == double.class || type == Double.class) {
            return decimal(scalar).doubleValue();
        } else if (type == BigDecimal.class) {
            return decimal(scalar);
        } else if (type == ByteSize.class) {
            return ByteSize.parse(scalar.text());
        } else if (type == NumberOrAuto.class) {
            return numberOrAuto(scalar);
        } else if (type == Duration.class) {
            return DurationText.parse(scalar.text());
        } else if (type == DType.class) {
            return DType.fromId(scalar.text());
        } else if (type.isEnum()) {
            return constant(scalar.text(), type);
        }
        return null;
    }

    private static boolean bool(ConfigNode.Scalar scalar) {
        if (scalar.plain() && (scalar.text().equals("true") || scalar.text().equals("false"))) {
            return scalar.text().equals("true");
        }
        throw new BadValue("", "must be true or false, not " + scalar.kind());
    }

    private static long integer(ConfigNode.Scalar scalar, long min, long max) {
        BigInteger value = whole(scalar);
        if (value.compareTo(BigInteger.valueOf(min)) < 0 || value.compareTo(BigInteger.valueOf(max)) > 0) {
            throw new BadValue("", scalar.text() + " is out of range; must be " + min + " to " + max);
        }
        return value.longValueExact();
    }

    private static NumberOrAuto numberOrAuto(ConfigNode.Scalar scalar) {
        if (scalar.text().equals(NumberOrAuto.WORD)) {
            return NumberOrAuto.AUTO;
        }
        if (!isWhole(scalar)) {
            throw new BadValue("", "must be a whole number or auto, not " + scalar.kind());
        }
        return NumberOrAuto.of((int) integer(scalar, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    static boolean isWhole(ConfigNode.Scalar scalar) {
        return scalar.plain() && INTEGER.matcher(scalar.text()).matches();
    }

    private static BigInteger whole(ConfigNode.Scalar scalar) {
        if (!isWhole(scalar)) {
            throw new BadValue("", "must be a whole number, not " + scalar.kind());
        }
        refuseLeadingZero(scalar);
        return new BigInteger(scalar.text().replace("_", ""));
    }

    private static BigDecimal decimal(ConfigNode.Scalar scalar) {
        if (!scalar.plain() || !DECIMAL.matcher(scalar.text()).matches()) {
            throw new BadValue("", "must be a number, not " + scalar.kind());
        }
        refuseLeadingZero(scalar);
        return new BigDecimal(scalar.text());
    }

    private static void refuseLeadingZero(ConfigNode.Scalar scalar) {
        Matcher zero = LEADING_ZERO.matcher(scalar.text());
        if (zero.matches()) {
            throw new BadValue(
                    "",
                    scalar.kind() + " begins with a zero, by which some readers of YAML take it for octal; write "
                            + zero.group(1) + zero.group(2));
        }
    }

    private static Object constant(String text, Class<?> type) {
        List<Enum<?>> constants = Arrays.stream(type.getEnumConstants())
                .<Enum<?>>map(constant -> (Enum<?>) constant)
                .toList();
        for (Enum<?> constant : constants) {
            if (Kebab.ofConstant(constant).equals(text)) {
                return constant;
            }
        }
        List<String> known = constants.stream().map(Kebab::ofConstant).toList();
        throw new BadValue(
                "",
                "'" + text + "' is not one of " + String.join(" | ", known)
                        + Suggestion.nearest(text, known)
                                .map(near -> "; did you mean '" + near + "'?")
                                .orElse(""));
    }
}
