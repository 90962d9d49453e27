package io.rankfeed.spark.prepare.pack;

import io.rankfeed.schema.DType;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.tensor.TensorNumbers;

/** Whether NaN and infinities are accepted. */
public enum Finiteness {
    ANY,
    FINITE;

    /** @param value of a column that is not a tensor */
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
        switch (dtype) {
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 ->
                TensorNumbers.each(dtype, packed, 0, value -> {
                    if (!Double.isFinite(value)) {
                        throw refused(column, "a NaN or an infinity");
                    }
                });
            default -> {}
        }
    }

    private static UnfitValueException refused(PreparedColumn column, String what) {
        return new UnfitValueException(
                Reason.NON_FINITE, "column '" + column.name() + "' holds " + what + "; prepare.non-finite refuses it");
    }
}
