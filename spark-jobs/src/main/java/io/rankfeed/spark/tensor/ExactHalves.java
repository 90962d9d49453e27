package io.rankfeed.spark.tensor;

/** Which narrower floats hold a number exactly; NaN and infinities they all do. */
public final class ExactHalves {
    private ExactHalves() {}

    public static boolean holdsFloat32(double value) {
        return Double.isNaN(value) || (float) value == value;
    }

    public static boolean holdsFloat16(double value) {
        return Double.isNaN(value) || HalfFloats.fromFloat16(HalfFloats.float16((float) value)) == value;
    }

    public static boolean holdsBfloat16(double value) {
        return Double.isNaN(value) || Float.intBitsToFloat(HalfFloats.bfloat16((float) value) << 16) == value;
    }
}
