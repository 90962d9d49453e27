package io.rankfeed.spark.sample.table;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.tensor.TensorPacker;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** A list of a row in place as the bytes of its tensor; a value that does not fit is named with its file and row. */
final class ListBytes implements ScalarFunction<byte[]> {
    private static final long serialVersionUID = 1L;

    private final String column;
    /** A list of one type, because a type alone is not known to be serializable. */
    private final ArrayList<DataType> source;

    private final DType dtype;
    private final ArrayList<Integer> dims;
    private final ArrayList<String> files;

    private transient @Nullable TensorPacker packer;

    /**
     * @param source the column's type in the files: a list, or binary that holds a tensor already
     * @param files for messages
     */
    ListBytes(Field field, DataType source, List<String> files) {
        this.column = field.name();
        this.source = new ArrayList<>(List.of(source));
        this.dtype = field.dtype();
        this.dims = new ArrayList<>(field.shape().dims());
        this.files = new ArrayList<>(files);
    }

    /** @param file index of the row's file */
    Column of(Column value, Column file, Column row) {
        return Columns.computed(this, value, file, row);
    }

    @Override
    public String name() {
        return "list_bytes";
    }

    @Override
    public String canonicalName() {
        return "rankfeed.list_bytes." + column + "." + dtype + "." + dims;
    }

    @Override
    public DataType[] inputTypes() {
        return new DataType[] {source.get(0), DataTypes.IntegerType, DataTypes.LongType};
    }

    @Override
    public DataType resultType() {
        return DataTypes.BinaryType;
    }

    @Override
    public byte @Nullable [] produceResult(InternalRow row) {
        if (row.isNullAt(0)) {
            return null;
        }
        if (packer == null) {
            packer = new TensorPacker(column, source.get(0), dtype, new Shape(dims));
        }
        try {
            return source.get(0) instanceof ArrayType ? packer.pack(row.getArray(0)) : packer.checked(row.getBinary(0));
        } catch (TensorPacker.Unfit e) {
            throw new CorruptDataException(
                    files.get(row.getInt(1)) + ", row " + row.getLong(2),
                    "column '" + column + "' " + e.getMessage(),
                    e);
        }
    }
}
