package io.rankfeed.spark.function;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.Argument;
import io.rankfeed.spark.engine.SqlFunction;
import io.rankfeed.spark.engine.SqlFunctions;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import io.rankfeed.spark.tensor.TensorPacker;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.jspecify.annotations.Nullable;

/** {@code rf_pack(list, 'dtype', …)}: the bytes of a tensor, little-endian, row-major. */
final class PackFunction {
    private static final String NAME = "rf_pack";
    private static final String USAGE = "rf_pack(list, 'float32'), or with its shape behind: 'float32', null, 3";
    private static final int MAX_DIM = 1 << 30;

    private PackFunction() {}

    static SqlFunction of() {
        return new SqlFunction(NAME, USAGE, count -> count >= 2 && count <= 2 + Shape.MAX_RANK, PackFunction::bind);
    }

    private static ScalarFunction<?> bind(List<Argument> arguments) {
        Argument list = arguments.get(0);
        if (!isNumbers(list.type())) {
            throw list.refused(NAME, "the list", "an ARRAY of numbers or booleans, or of such lists");
        }
        DType dtype = dtype(arguments.get(1));
        ArrayList<Integer> dims = new ArrayList<>();
        for (Argument dim : arguments.subList(2, arguments.size())) {
            dims.add(dim.isNull() && dims.isEmpty() ? Shape.VARIABLE : dim.number(NAME, "a dimension", 1, MAX_DIM));
        }
        if (dims.isEmpty()) {
            dims.add(Shape.VARIABLE);
        }
        Shape shape = new Shape(dims);
        ArrayType type = (ArrayType) list.type();
        TensorPacker.requireShape(NAME + ": the list", type, shape, USAGE);
        return RowFunction.of(
                NAME,
                SqlFunctions.tensor(dtype, shape),
                arguments,
                List.of(dtype, dims),
                new Packing(type, dtype, dims));
    }

    private static DType dtype(Argument word) {
        String id = word.text(NAME, "the dtype");
        for (DType dtype : DType.values()) {
            if (dtype.id().equals(id) && !dtype.isBytes()) {
                return dtype;
            }
        }
        throw new ConfigException(
                NAME + ": '" + id + "' is not a dtype of numbers, as int32 or float16 are (docs/functions.md)");
    }

    private static boolean isNumbers(DataType type) {
        if (!(type instanceof ArrayType list)) {
            return false;
        }
        DataType element = list.elementType();
        boolean decimal = element.typeName().startsWith("decimal");
        return (element instanceof NumericType && !decimal)
                || element.typeName().equals("boolean")
                || isNumbers(element);
    }

    /** Keeps its packer. Synchronized, since threads that do not deserialize it may share it. */
    private static final class Packing implements RowFunction.Value<InternalRow> {
        private static final long serialVersionUID = 1L;

        private final ArrayType type;
        private final DType dtype;
        private final ArrayList<Integer> dims;
        private transient @Nullable TensorPacker packer;

        Packing(ArrayType type, DType dtype, List<Integer> dims) {
            this.type = type;
            this.dtype = dtype;
            this.dims = new ArrayList<>(dims);
        }

        @Override
        public synchronized @Nullable InternalRow of(InternalRow row) {
            if (row.isNullAt(0)) {
                return null;
            }
            if (packer == null) {
                packer = new TensorPacker(NAME, type, dtype, new Shape(dims));
            }
            try {
                return new GenericInternalRow(new Object[] {packer.pack(row.getArray(0))});
            } catch (TensorPacker.Unfit e) {
                throw new UnfitValueException(Reason.UNFIT_TENSOR, "a list " + e.getMessage());
            }
        }
    }
}
