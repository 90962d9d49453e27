package io.rankfeed.export.format.store;

import io.rankfeed.schema.DType;
import org.jspecify.annotations.Nullable;

/** An element type of Megatron's indexed datasets. */
enum TokenType {
    UINT8(DType.UINT8, 1),
    INT8(DType.INT8, 2),
    INT16(DType.INT16, 3),
    INT32(DType.INT32, 4),
    INT64(DType.INT64, 5),
    FLOAT64(DType.FLOAT64, 6),
    FLOAT32(DType.FLOAT32, 7),
    UINT16(DType.UINT16, 8);

    private final DType dtype;
    private final int code;

    TokenType(DType dtype, int code) {
        this.dtype = dtype;
        this.code = code;
    }

    /** The type of a column's elements, or null if the index has no code for it. A bool is 0 or 1 as uint8. */
    static @Nullable TokenType of(DType dtype) {
        for (TokenType type : values()) {
            if (type.dtype == dtype || (dtype == DType.BOOL && type == UINT8)) {
                return type;
            }
        }
        return null;
    }

    /** The type with this name, if it is an integer. */
    static @Nullable TokenType integer(String id) {
        for (TokenType type : values()) {
            if (type.dtype.id().equals(id) && type != FLOAT32 && type != FLOAT64) {
                return type;
            }
        }
        return null;
    }

    int code() {
        return code;
    }

    int sizeBytes() {
        return dtype.sizeBytes();
    }

    DType dtype() {
        return dtype;
    }

    /** Whether an integer of this type can have this value. */
    boolean holds(long value) {
        return switch (this) {
            case UINT8 -> value == (value & 0xFF);
            case INT8 -> value == (byte) value;
            case INT16 -> value == (short) value;
            case UINT16 -> value == (value & 0xFFFF);
            case INT32 -> value == (int) value;
            case INT64 -> true;
            case FLOAT32, FLOAT64 -> false;
        };
    }
}
