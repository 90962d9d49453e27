package io.rankfeed.spark.source.format.arrow;

import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.arrow.ArrowField.FixedValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.apache.arrow.flatbuf.TimeUnit;

/** The storage of values of fixed width. */
final class FixedValues {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int DECIMAL_BYTES = 16;

    static final FixedValue BOOL = (data, row) -> (data.get(row >> 3) >> (row & 7) & 1) == 1;
    static final FixedValue INT8 = (data, row) -> data.get(row);
    static final FixedValue INT16 = (data, row) -> data.getShort(2 * row);
    static final FixedValue INT32 = (data, row) -> data.getInt(4 * row);
    static final FixedValue INT64 = (data, row) -> data.getLong(8 * row);
    static final FixedValue UINT8 = (data, row) -> (short) (data.get(row) & 0xff);
    static final FixedValue UINT16 = (data, row) -> data.getShort(2 * row) & 0xffff;
    static final FixedValue UINT32 = (data, row) -> data.getInt(4 * row) & 0xffff_ffffL;
    static final FixedValue UINT64 = (data, row) -> unsigned(data.getLong(8 * row));
    static final FixedValue FLOAT16 = (data, row) -> half(data.getShort(2 * row));
    static final FixedValue FLOAT32 = (data, row) -> data.getFloat(4 * row);
    static final FixedValue FLOAT64 = (data, row) -> data.getDouble(8 * row);
    static final FixedValue DATE32 = (data, row) -> LocalDate.ofEpochDay(data.getInt(4 * row));

    private FixedValues() {}

    static FixedValue bytes(int width) {
        return (data, row) -> slice(data, row, width);
    }

    static FixedValue decimal128(int scale) {
        return (data, row) -> {
            byte[] bytes = slice(data, row, DECIMAL_BYTES);
            for (int i = 0; i < DECIMAL_BYTES / 2; i++) {
                byte low = bytes[i];
                bytes[i] = bytes[DECIMAL_BYTES - 1 - i];
                bytes[DECIMAL_BYTES - 1 - i] = low;
            }
            return new BigDecimal(new BigInteger(bytes), scale);
        };
    }

    static FixedValue decimal128(int precision, int scale) {
        FixedValue value = decimal128(scale);
        return (data, row) -> {
            BigDecimal decimal = (BigDecimal) value.at(data, row);
            if (decimal.precision() > precision) {
                throw BadValue.damaged(decimal + " has more than " + precision + " digits");
            }
            return decimal;
        };
    }

    static FixedValue instant(short unit) {
        return (data, row) -> Instant.EPOCH.plus(micros(data.getLong(8 * row), unit), ChronoUnit.MICROS);
    }

    static FixedValue local(short unit) {
        return (data, row) -> {
            long micros = micros(data.getLong(8 * row), unit);
            return LocalDateTime.ofEpochSecond(
                    Math.floorDiv(micros, MICROS_PER_SECOND),
                    (int) Math.floorMod(micros, MICROS_PER_SECOND) * 1000,
                    ZoneOffset.UTC);
        };
    }

    private static long micros(long value, short unit) {
        if (unit == TimeUnit.NANOSECOND) {
            if (value % 1000 != 0) {
                throw BadValue.unsupported("timestamp of " + value + " ns is not a whole number of microseconds, which"
                        + " Spark requires; write the column again in microseconds");
            }
            return value / 1000;
        }
        try {
            return Math.multiplyExact(
                    value, unit == TimeUnit.SECOND ? MICROS_PER_SECOND : unit == TimeUnit.MILLISECOND ? 1000 : 1);
        } catch (ArithmeticException e) {
            throw BadValue.damaged("timestamp of " + value + " " + TimeUnit.name(unit) + " is out of range");
        }
    }

    private static BigDecimal unsigned(long value) {
        return value >= 0 ? BigDecimal.valueOf(value) : new BigDecimal(new BigInteger(Long.toUnsignedString(value)));
    }

    /** IEEE 754 binary16. Java 20 has it as {@code Float.float16ToFloat}. */
    static float half(short bits) {
        int exponent = bits >> 10 & 0x1f;
        int mantissa = bits & 0x3ff;
        float magnitude = exponent == 0
                ? mantissa * 0x1p-24f
                : Float.intBitsToFloat((exponent == 0x1f ? 0xff : exponent + 112) << 23 | mantissa << 13);
        return bits < 0 ? -magnitude : magnitude;
    }

    private static byte[] slice(ByteBuffer data, int row, int width) {
        byte[] bytes = new byte[width];
        data.get(row * width, bytes);
        return bytes;
    }
}
