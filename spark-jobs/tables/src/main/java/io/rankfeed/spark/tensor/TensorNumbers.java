package io.rankfeed.spark.tensor;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.HalfFloats;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.DoubleConsumer;

/** The elements of a packed tensor as numbers. */
public final class TensorNumbers {
    private TensorNumbers() {}

    /**
     * Gives every element; 64-bit integers to the nearest double.
     *
     * @param headBytes what is before the elements
     */
    public static void each(DType dtype, byte[] packed, int headBytes, DoubleConsumer numbers) {
        ByteBuffer bytes =
                ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).position(headBytes);
        while (bytes.remaining() >= dtype.sizeBytes()) {
            numbers.accept(
                    switch (dtype) {
                        case BOOL, UINT8 -> bytes.get() & 0xFF;
                        case INT8 -> bytes.get();
                        case INT16 -> bytes.getShort();
                        case UINT16 -> bytes.getShort() & 0xFFFF;
                        case INT32 -> bytes.getInt();
                        case UINT32 -> bytes.getInt() & 0xFFFFFFFFL;
                        case INT64 -> bytes.getLong();
                        case UINT64 -> unsigned(bytes.getLong());
                        case FLOAT16 -> HalfFloats.fromFloat16(bytes.getShort());
                        case BFLOAT16 -> HalfFloats.fromBfloat16(bytes.getShort());
                        case FLOAT32 -> bytes.getFloat();
                        case FLOAT64 -> bytes.getDouble();
                        case STRING, BINARY -> throw new IllegalArgumentException(dtype + " has no numbers");
                    });
        }
    }

    private static double unsigned(long bits) {
        double value = (double) (bits & Long.MAX_VALUE);
        return bits < 0 ? value + 0x1p63 : value;
    }
}
