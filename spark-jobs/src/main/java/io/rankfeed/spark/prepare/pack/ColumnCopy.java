package io.rankfeed.spark.prepare.pack;

import io.rankfeed.job.PrepareSection.NonFinite;
import io.rankfeed.schema.DType;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.tensor.ScalarKind;
import io.rankfeed.spark.tensor.TensorNumbers;
import io.rankfeed.spark.tensor.TensorPacker;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.types.ArrayType;

/**
 * Brings one column's value, which is not a null, from a row of the query to the packed row. What it takes is decided once a
 * task: Spark looks its own settings up for each value whose type it is given.
 */
@FunctionalInterface
interface ColumnCopy {
    /** The types of tensors that can hold NaN and infinities. */
    Set<DType> REAL = Set.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);

    /** @throws UnfitValueException if the value cannot be held */
    void copy(InternalRow from, int ordinal, UnsafeRowWriter to);

    static ColumnCopy of(PreparedColumn column, NonFinite nonFinite) {
        boolean refuses = nonFinite == NonFinite.REFUSE;
        if (column.isPacked()) {
            return tensor(column, refuses && REAL.contains(column.dtype()));
        }
        ScalarKind kind = ScalarKind.of(column.source()).orElseThrow();
        return switch (kind) {
            case FLOAT, DOUBLE ->
                (from, i, to) -> {
                    double value = kind.number(from, i);
                    if (refuses && !Double.isFinite(value)) {
                        throw nonFinite(column, Double.toString(value));
                    }
                    kind.copy(from, i, to);
                };
            case BINARY ->
                (from, i, to) -> {
                    // An unsafe row stores strings and binary in the same way; getBinary would copy the value.
                    ScalarKind stored = from instanceof UnsafeRow ? ScalarKind.STRING : kind;
                    stored.copy(from, i, to);
                };
            default -> kind::copy;
        };
    }

    private static ColumnCopy tensor(PreparedColumn column, boolean refuses) {
        TensorPacker packer = column.packer();
        boolean list = column.source() instanceof ArrayType;
        return (from, i, to) -> {
            try {
                byte[] packed = list ? packer.pack(from.getArray(i)) : packer.checked(from.getBinary(i));
                if (refuses) {
                    TensorNumbers.each(column.dtype(), packed, 0, value -> {
                        if (!Double.isFinite(value)) {
                            throw nonFinite(column, "a NaN or an infinity");
                        }
                    });
                }
                to.write(i, column.storedBytes(packed));
            } catch (TensorPacker.Unfit e) {
                throw new UnfitValueException(Reason.UNFIT_TENSOR, "column '" + column.name() + "' " + e.getMessage());
            }
        };
    }

    private static UnfitValueException nonFinite(PreparedColumn column, String what) {
        return new UnfitValueException(
                Reason.NON_FINITE, "column '" + column.name() + "' holds " + what + "; prepare.non-finite refuses it");
    }
}
