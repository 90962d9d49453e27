package io.rankfeed.spark.prepare.pack;

import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.tensor.ScalarKind;
import io.rankfeed.spark.tensor.TensorPacker;
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
    /** @throws UnfitValueException if the value cannot be held */
    void copy(InternalRow from, int ordinal, UnsafeRowWriter to);

    static ColumnCopy of(PreparedColumn column, Finiteness finiteness) {
        if (column.isPacked()) {
            return tensor(column, finiteness);
        }
        ScalarKind kind = ScalarKind.of(column.source()).orElseThrow();
        return switch (kind) {
            case FLOAT, DOUBLE ->
                (from, i, to) -> {
                    finiteness.check(column, kind.number(from, i));
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

    private static ColumnCopy tensor(PreparedColumn column, Finiteness finiteness) {
        TensorPacker packer = column.packer();
        boolean list = column.source() instanceof ArrayType;
        return (from, i, to) -> {
            try {
                byte[] packed = list ? packer.pack(from.getArray(i)) : packer.checked(from.getBinary(i));
                finiteness.check(column, packed);
                to.write(i, column.storedBytes(packed));
            } catch (TensorPacker.Unfit e) {
                throw new UnfitValueException(Reason.UNFIT_TENSOR, "column '" + column.name() + "' " + e.getMessage());
            }
        };
    }
}
