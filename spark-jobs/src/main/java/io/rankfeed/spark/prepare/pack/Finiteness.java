package io.rankfeed.spark.prepare.pack;

import io.rankfeed.schema.DType;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Whether numbers that are none, or infinite, are let through. */
public enum Finiteness {
    ANY,
    FINITE;

    /** @param value of a column that is no tensor */
    void check(PreparedColumn column, double value) {
        if (this == FINITE && !Double.isFinite(value)) {
            throw refused(column, Double.toString(value));
        }
    }

    /** @param packed the elements of a tensor */
    void check(PreparedColumn column, byte[] packed) {
        DType dtype = column.dtype();
        if (this == ANY) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.remaining() >= dtype.sizeBytes()) {
            boolean finite =
                    switch (dtype) {
                        case FLOAT64 -> Double.isFinite(bytes.getDouble());
                        case FLOAT32 -> Float.isFinite(bytes.getFloat());
                        case FLOAT16 -> (bytes.getShort() & 0x7C00) != 0x7C00;
                        case BFLOAT16 -> (bytes.getShort() & 0x7F80) != 0x7F80;
                        default -> {
                            bytes.position(bytes.limit());
                            yield true;
                        }
                    };
            if (!finite) {
                throw refused(column, "a number that is none or infinite");
            }
        }
    }

    private static UnfitValueException refused(PreparedColumn column, String what) {
        return new UnfitValueException(
                Reason.NON_FINITE, "column '" + column.name() + "' holds " + what + "; prepare.non-finite refuses it");
    }
}
