package io.rankfeed.spark.tensor;

import io.rankfeed.schema.HalfFloats;

/** Checks which narrower floats represent a number exactly; all of them represent NaN and infinities. */
public final class ExactHalves {
    private ExactHalves() {}

    public static boolean holdsFloat32(double value) {
        return Double.isNaN(value) || (float) value == value;
    }

    /** The number that the bits of an IEEE 754 binary16 are. */
    public static float number(short float16) {
        return HalfFloats.fromFloat16(float16);
    }

    public static boolean holdsFloat16(double value) {
        return Double.isNaN(value) || HalfFloats.fromFloat16(HalfFloats.float16((float) value)) == value;
    }

    public static boolean holdsBfloat16(double value) {
        return Double.isNaN(value) || HalfFloats.fromBfloat16(HalfFloats.bfloat16((float) value)) == value;
    }
}
