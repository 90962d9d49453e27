package io.rankfeed.export.format;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.HalfFloats;
import io.rankfeed.schema.PackedList;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;

/** Numbers, strings and lists of strings as JSON. */
public final class JsonText {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final MathContext FEW_SINGLE_DIGITS = new MathContext(7);
    private static final MathContext ALL_SINGLE_DIGITS = new MathContext(9);
    private static final MathContext FEW_REAL_DIGITS = new MathContext(15);
    private static final MathContext ALL_REAL_DIGITS = new MathContext(17);

    private JsonText() {}

    /** Appends the list of strings of a row; an empty list if it is missing. */
    public static void append(FormatRow row, int field, ByteBuilder to) {
        to.put((byte) '[');
        if (!row.isMissing(field)) {
            PackedList list = row.list(field);
            int at = list.valuesOffset();
            for (int item = 0; item < list.count(); item++) {
                if (item > 0) {
                    to.put((byte) ',');
                }
                quote(list.array(), at, list.itemLength(item), to);
                at += list.itemLength(item);
            }
        }
        to.put((byte) ']');
    }

    /** Appends a number, or {@code null} if it is missing. Python's {@code json} reads NaN and Infinity, too. */
    public static void appendNumber(FormatRow row, int field, DType type, ByteBuilder to) {
        to.putAscii(row.isMissing(field) ? "null" : number(type, row.bits(field)));
    }

    private static String number(DType type, long bits) {
        return switch (type) {
            case BOOL -> Boolean.toString((bits & 0xFF) != 0);
            case INT8 -> Byte.toString((byte) bits);
            case INT16 -> Short.toString((short) bits);
            case INT32 -> Integer.toString((int) bits);
            case INT64 -> Long.toString(bits);
            case UINT8 -> Long.toString(bits & 0xFF);
            case UINT16 -> Long.toString(bits & 0xFFFF);
            case UINT32 -> Long.toString(bits & 0xFFFFFFFFL);
            case UINT64 -> Long.toUnsignedString(bits);
            case FLOAT16 -> single(HalfFloats.fromFloat16((short) bits));
            case BFLOAT16 -> single(HalfFloats.fromBfloat16((short) bits));
            case FLOAT32 -> single(Float.intBitsToFloat((int) bits));
            case FLOAT64 -> real(Double.longBitsToDouble(bits));
            case STRING, BINARY -> throw new IllegalArgumentException("not a number");
        };
    }

    /** Digits that give the same number when read. {@code Float.toString} writes others on Java 17 than on Java 19. */
    private static String single(float value) {
        String few = digits(value, FEW_SINGLE_DIGITS);
        return Float.isNaN(value) || Float.parseFloat(few) == value ? few : digits(value, ALL_SINGLE_DIGITS);
    }

    private static String real(double value) {
        String few = digits(value, FEW_REAL_DIGITS);
        return Double.isNaN(value) || Double.parseDouble(few) == value ? few : digits(value, ALL_REAL_DIGITS);
    }

    private static String digits(double value, MathContext digits) {
        if (value == (int) value && (value != 0 || 1 / value > 0)) {
            return (int) value + ".0";
        }
        if (value == 0) {
            return "-0.0";
        }
        if (!Double.isFinite(value)) {
            return String.valueOf(value);
        }
        BigDecimal rounded = new BigDecimal(value).round(digits).stripTrailingZeros();
        // Readers take a number without point and exponent for an integer.
        return rounded.scale() == 0 ? rounded + ".0" : rounded.toString();
    }

    /** Appends UTF-8 as a JSON string: only quotes, backslashes and control characters have an escape. */
    public static void quote(byte[] text, int offset, int length, ByteBuilder to) {
        to.put((byte) '"');
        for (int i = offset; i < offset + length; i++) {
            byte c = text[i];
            if (c == '"' || c == '\\') {
                to.put((byte) '\\').put(c);
            } else if (c >= 0 && c < ' ') {
                to.put((byte) '\\').put((byte) 'u').put((byte) '0').put((byte) '0');
                to.put(HEX[c >> 4]).put(HEX[c & 15]);
            } else {
                to.put(c);
            }
        }
        to.put((byte) '"');
    }
}
