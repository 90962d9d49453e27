package io.rankfeed.spark.source.format.csv;

import io.rankfeed.spark.tensor.ScalarKind;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/** Texts of CSV as values of a column's type. Blanks around a number are not removed. */
final class CsvValues implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]{1,400}");
    private static final Pattern REAL =
            Pattern.compile("[-+]?([0-9]{1,400}(\\.[0-9]{0,400})?|\\.[0-9]{1,400})([eE][-+]?[0-9]{1,5})?");

    private CsvValues() {}

    /** Whether columns may have a type. */
    static boolean holds(StructField column) {
        return ScalarKind.of(column.dataType())
                .filter(kind -> kind != ScalarKind.BINARY)
                .isPresent();
    }

    /** The value; null if the text is not one of the kind. */
    static @Nullable Object value(String text, ScalarKind kind) {
        return switch (kind) {
            case STRING -> text;
            case BOOLEAN -> bool(text);
            case BYTE, SHORT, INTEGER, LONG -> WHOLE.matcher(text).matches() ? whole(text, kind) : null;
            case FLOAT, DOUBLE -> real(text, kind);
            case BINARY -> null;
        };
    }

    private static @Nullable Boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> null;
        };
    }

    private static @Nullable Object whole(String text, ScalarKind kind) {
        try {
            return kind.boxed(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Fractions are rounded to the nearest value; a whole number is exact, or none. */
    private static @Nullable Object real(String text, ScalarKind kind) {
        String plain = text.toLowerCase(Locale.ROOT);
        double value;
        if (REAL.matcher(text).matches()) {
            value = kind == ScalarKind.FLOAT ? Float.parseFloat(text) : Double.parseDouble(text);
            boolean isRounded = WHOLE.matcher(text).matches()
                    && !Double.isInfinite(value)
                    && new BigDecimal(value).compareTo(new BigDecimal(text)) != 0;
            if (isRounded || Double.isInfinite(value)) {
                return null;
            }
        } else {
            switch (plain) {
                case "nan" -> value = Double.NaN;
                case "inf", "+inf", "infinity" -> value = Double.POSITIVE_INFINITY;
                case "-inf", "-infinity" -> value = Double.NEGATIVE_INFINITY;
                default -> {
                    return null;
                }
            }
        }
        return kind == ScalarKind.FLOAT ? (Object) (float) value : (Object) value;
    }
}
