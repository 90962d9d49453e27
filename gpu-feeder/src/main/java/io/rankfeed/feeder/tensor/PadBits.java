package io.rankfeed.feeder.tensor;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.failure.ConfigException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** The bit pattern of a pad value in the low bytes of a long. */
final class PadBits {
    private static final int BFLOAT16_DROPPED_BITS = 16;

    private PadBits() {}

    /** @throws ConfigException if the type does not have this value */
    static long of(String column, DType dtype, BigDecimal value) {
        return switch (dtype) {
            case FLOAT64 -> Double.doubleToRawLongBits(finite(column, dtype, value, value.doubleValue()));
            case FLOAT32 ->
                Integer.toUnsignedLong(
                        Float.floatToRawIntBits((float) finite(column, dtype, value, value.floatValue())));
            case FLOAT16 -> {
                short bits = Float.floatToFloat16(value.floatValue());
                finite(column, dtype, value, Float.float16ToFloat(bits));
                yield Short.toUnsignedLong(bits);
            }
            case BFLOAT16 -> {
                int bits = roundedToBfloat16(value.floatValue());
                finite(column, dtype, value, Float.intBitsToFloat(bits << BFLOAT16_DROPPED_BITS));
                yield bits;
            }
            case BOOL -> integer(column, dtype, value, 0, 1);
            case STRING, BINARY -> integer(column, dtype, value, 0, 255);
            case UINT64 -> unsignedLong(column, dtype, value);
            case INT8, INT16, INT32, INT64 -> {
                int bits = dtype.sizeBytes() * Byte.SIZE;
                long max = Long.MAX_VALUE >>> (Long.SIZE - bits);
                yield integer(column, dtype, value, -max - 1, max);
            }
            case UINT8, UINT16, UINT32 -> integer(column, dtype, value, 0, (1L << (dtype.sizeBytes() * Byte.SIZE)) - 1);
        };
    }

    private static double finite(String column, DType dtype, BigDecimal value, double converted) {
        if (!Double.isFinite(converted)) {
            throw unfit(column, dtype, value);
        }
        return converted;
    }

    private static int roundedToBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        int half = 0x7FFF + ((bits >>> BFLOAT16_DROPPED_BITS) & 1);
        return (bits + half) >>> BFLOAT16_DROPPED_BITS;
    }

    private static long integer(String column, DType dtype, BigDecimal value, long min, long max) {
        try {
            long exact = value.longValueExact();
            if (exact >= min && exact <= max) {
                return exact;
            }
        } catch (ArithmeticException e) {
            throw unfit(column, dtype, value);
        }
        throw unfit(column, dtype, value);
    }

    private static long unsignedLong(String column, DType dtype, BigDecimal value) {
        try {
            BigInteger exact = value.toBigIntegerExact();
            if (exact.signum() >= 0 && exact.bitLength() <= Long.SIZE) {
                return exact.longValue();
            }
        } catch (ArithmeticException e) {
            throw unfit(column, dtype, value);
        }
        throw unfit(column, dtype, value);
    }

    private static ConfigException unfit(String column, DType dtype, BigDecimal value) {
        return new ConfigException("column '" + column + "': padValue " + value.toString() + " is not a valid "
                + dtype.id() + "; choose one that fits");
    }
}
