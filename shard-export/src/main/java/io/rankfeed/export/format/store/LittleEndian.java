package io.rankfeed.export.format.store;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.HalfFloats;

/** Elements of packed values. */
final class LittleEndian {
    private LittleEndian() {}

    /** The bits of an element, extended by zeros. */
    static long bits(DType dtype, byte[] array, int at) {
        return switch (dtype.sizeBytes()) {
            case Byte.BYTES -> array[at] & 0xFF;
            case Short.BYTES -> ByteBuilder.getShort(array, at) & 0xFFFF;
            case Integer.BYTES -> ByteBuilder.getInt(array, at) & 0xFFFF_FFFFL;
            default -> ByteBuilder.getLong(array, at);
        };
    }

    /** An element of an integer type or bool; of uint64 its bits. */
    static long integer(DType dtype, byte[] array, int at) {
        return integer(dtype, bits(dtype, array, at));
    }

    /** The integer that has these low bits. */
    static long integer(DType dtype, long bits) {
        return switch (dtype) {
            case INT8 -> (byte) bits;
            case INT16 -> (short) bits;
            case INT32 -> (int) bits;
            case BOOL, UINT8 -> bits & 0xFF;
            case UINT16 -> bits & 0xFFFF;
            case UINT32 -> bits & 0xFFFF_FFFFL;
            case INT64, UINT64 -> bits;
            default -> throw new IllegalArgumentException(dtype + " is not an integer");
        };
    }

    /** The number that has these low bits; that of a 64-bit integer is rounded. */
    static double number(DType dtype, long bits) {
        return switch (dtype) {
            case FLOAT16 -> HalfFloats.fromFloat16((short) bits);
            case BFLOAT16 -> HalfFloats.fromBfloat16((short) bits);
            case FLOAT32 -> Float.intBitsToFloat((int) bits);
            case FLOAT64 -> Double.longBitsToDouble(bits);
            case UINT64 -> bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
            default -> integer(dtype, bits);
        };
    }
}
