package io.rankfeed.spark.prepare.pack;

import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.tensor.TensorPacker;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.types.ArrayType;

/**
 * Brings one column's value, which is no null, from a row of the query to the packed row. What it takes is decided once a
 * task: Spark looks its own settings up for each value whose type it is told.
 */
@FunctionalInterface
interface ColumnCopy {
    /** @throws UnfitValueException if the value cannot be held */
    void copy(InternalRow from, int ordinal, UnsafeRowWriter to);

    static ColumnCopy of(PreparedColumn column, Finiteness finiteness) {
        if (column.isPacked()) {
            return tensor(column, finiteness);
        }
        return switch (column.source().typeName()) {
            case "boolean" -> (from, i, to) -> to.write(i, from.getBoolean(i));
            case "byte" -> (from, i, to) -> to.write(i, from.getByte(i));
            case "short" -> (from, i, to) -> to.write(i, from.getShort(i));
            case "integer" -> (from, i, to) -> to.write(i, from.getInt(i));
            case "long" -> (from, i, to) -> to.write(i, from.getLong(i));
            case "float" ->
                (from, i, to) -> {
                    float value = from.getFloat(i);
                    finiteness.check(column, value);
                    to.write(i, value);
                };
            case "double" ->
                (from, i, to) -> {
                    double value = from.getDouble(i);
                    finiteness.check(column, value);
                    to.write(i, value);
                };
            case "string" -> (from, i, to) -> to.write(i, from.getUTF8String(i));
            case "binary" ->
                (from, i, to) -> {
                    if (from instanceof UnsafeRow row) {
                        // It holds strings and binary alike, and gives binary as a copy only.
                        to.write(i, row.getUTF8String(i));
                    } else {
                        to.write(i, from.getBinary(i));
                    }
                };
            default ->
                throw new IllegalArgumentException(
                        "no packed form for " + column.source().simpleString());
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
