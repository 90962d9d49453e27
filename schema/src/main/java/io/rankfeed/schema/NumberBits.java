package io.rankfeed.schema;

import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** The bit pattern of a number as an element of a type. */
public final class NumberBits {
    private NumberBits() {}

    /**
     * The bits of the nearest number, in the low bytes of a long.
     *
     * @param what the value in messages, as in "column 'a': padValue"
     * @throws ConfigException if the type does not have this value
     */
    public static long of(String what, DType dtype, BigDecimal value) {
        return switch (dtype) {
            case FLOAT64 -> Double.doubleToRawLongBits(finite(what, dtype, value, value.doubleValue()));
            case FLOAT32 ->
                Integer.toUnsignedLong(Float.floatToRawIntBits((float) finite(what, dtype, value, value.floatValue())));
            case FLOAT16 -> {
                short bits = HalfFloats.float16(value.floatValue());
                finite(what, dtype, value, HalfFloats.fromFloat16(bits));
                yield Short.toUnsignedLong(bits);
            }
            case BFLOAT16 -> {
                short bits = HalfFloats.bfloat16(value.floatValue());
                finite(what, dtype, value, HalfFloats.fromBfloat16(bits));
                yield Short.toUnsignedLong(bits);
            }
            case BOOL -> integer(what, dtype, value, 0, 1);
            case STRING, BINARY -> integer(what, dtype, value, 0, 255);
            case UINT64 -> unsignedLong(what, dtype, value);
            case INT8, INT16, INT32, INT64 -> {
                int bits = dtype.sizeBytes() * Byte.SIZE;
                long max = Long.MAX_VALUE >>> (Long.SIZE - bits);
                yield integer(what, dtype, value, -max - 1, max);
            }
            case UINT8, UINT16, UINT32 -> integer(what, dtype, value, 0, (1L << (dtype.sizeBytes() * Byte.SIZE)) - 1);
        };
    }

    private static double finite(String what, DType dtype, BigDecimal value, double converted) {
        if (!Double.isFinite(converted)) {
            throw unfit(what, dtype, value);
        }
        return converted;
    }

    private static long integer(String what, DType dtype, BigDecimal value, long min, long max) {
        try {
            long exact = value.longValueExact();
            if (exact >= min && exact <= max) {
                return exact;
            }
        } catch (ArithmeticException e) {
            throw unfit(what, dtype, value);
        }
        throw unfit(what, dtype, value);
    }

    private static long unsignedLong(String what, DType dtype, BigDecimal value) {
        try {
            BigInteger exact = value.toBigIntegerExact();
            if (exact.signum() >= 0 && exact.bitLength() <= Long.SIZE) {
                return exact.longValue();
            }
        } catch (ArithmeticException e) {
            throw unfit(what, dtype, value);
        }
        throw unfit(what, dtype, value);
    }

    private static ConfigException unfit(String what, DType dtype, BigDecimal value) {
        return new ConfigException(
                what + " " + value.toString() + " is not a valid " + dtype.id() + "; choose one that fits");
    }
}
