package io.rankfeed.schema;

/** 16-bit floats, rounded to nearest, ties to even. */
public final class HalfFloats {
    /** The bits of an infinity as a float16, without its sign. */
    public static final int INFINITE_FLOAT16 = 0x7C00;

    /** The bits of an infinity as a bfloat16, without its sign. */
    public static final int INFINITE_BFLOAT16 = 0x7F80;

    private HalfFloats() {}

    /** The number with these bits as a float16. */
    public static float fromFloat16(short bits) {
        int exponent = (bits >> 10) & 0x1F;
        int fraction = bits & 0x3FF;
        float magnitude;
        if (exponent == 0) {
            magnitude = fraction * 0x1p-24f;
        } else if (exponent == 0x1F) {
            magnitude = fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
        } else {
            magnitude = Float.intBitsToFloat(((exponent + 112) << 23) | (fraction << 13));
        }
        return bits < 0 ? -magnitude : magnitude;
    }

    /** The number with these bits as a bfloat16. */
    public static float fromBfloat16(short bits) {
        return Float.intBitsToFloat(bits << Short.SIZE);
    }

    /** The bits of the nearest bfloat16. */
    public static short bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | 0x40);
        }
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }

    /** The bits of the nearest float16. */
    public static short float16(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = (bits >>> 16) & 0x8000;
        if (Float.isNaN(value)) {
            return (short) (sign | 0x7E00);
        }
        float magnitude = Math.abs(value);
        if (magnitude >= 65520f) {
            return (short) (sign | 0x7C00);
        }
        if (magnitude < 0x1p-14f) {
            // Subnormal: whole multiples of 2^-24. The product is exact, rint rounds ties to even.
            return (short) (sign | (int) Math.rint(magnitude * 0x1p24));
        }
        int rebased = (bits & 0x7FFFFFFF) - (112 << 23);
        return (short) (sign | ((rebased + 0xFFF + ((rebased >>> 13) & 1)) >>> 13));
    }
}
