package io.rankfeed.export.format;

import io.rankfeed.schema.DType;

/** The types of NumPy, as its files and {@code numpy.dtype} name them. */
public final class NumpyType {
    private NumpyType() {}

    /** bfloat16 has no type in numpy: its bits are uint16. */
    public static String of(DType dtype) {
        return switch (dtype) {
            case BOOL -> "|b1";
            case INT8 -> "|i1";
            case UINT8 -> "|u1";
            case INT16 -> "<i2";
            case UINT16, BFLOAT16 -> "<u2";
            case INT32 -> "<i4";
            case UINT32 -> "<u4";
            case INT64 -> "<i8";
            case UINT64 -> "<u8";
            case FLOAT16 -> "<f2";
            case FLOAT32 -> "<f4";
            case FLOAT64 -> "<f8";
            case STRING, BINARY -> throw new IllegalArgumentException(dtype + " is not a number");
        };
    }
}
