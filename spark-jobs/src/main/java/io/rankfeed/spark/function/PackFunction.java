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
final class PackFunction implements SqlFunction {
    private static final int MAX_DIM = 1 << 30;

    @Override
    public String name() {
        return "rf_pack";
    }

    @Override
    public String usage() {
        return "rf_pack(list, 'float32'), or with its shape behind: 'float32', null, 3";
    }

    @Override
    public ScalarFunction<?> bind(List<Argument> arguments) {
        refuseUnless(arguments, 2, 2 + Shape.MAX_RANK);
        Argument list = arguments.get(0);
        if (!isNumbers(list.type())) {
            throw list.refused(name(), "the list", "an ARRAY of numbers or booleans, or of such lists");
        }
        DType dtype = dtype(arguments.get(1));
        List<Integer> dims = new ArrayList<>();
        for (Argument dim : arguments.subList(2, arguments.size())) {
            dims.add(dim.isNull() && dims.isEmpty() ? Shape.VARIABLE : dim.number(name(), "a dimension", 1, MAX_DIM));
        }
        Shape shape = dims.isEmpty() ? Shape.of(Shape.VARIABLE) : new Shape(dims);
        TensorPacker.requireShape(name() + ": the list", (ArrayType) list.type(), shape, usage());
        return new Bound(name(), dtype, shape, arguments);
    }

    private DType dtype(Argument word) {
        String id = word.text(name(), "the dtype");
        for (DType dtype : DType.values()) {
            if (dtype.id().equals(id) && !dtype.isBytes()) {
                return dtype;
            }
        }
        throw new ConfigException(
                name() + ": '" + id + "' is not a dtype of numbers, as int32 or float16 are" + " (docs/functions.md)");
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

    private static final class Bound extends RowFunction<InternalRow> {
        private static final long serialVersionUID = 1L;

        private final DType dtype;
        private final ArrayList<Integer> dims;
        private final ArrayList<DataType> source;

        Bound(String name, DType dtype, Shape shape, List<Argument> arguments) {
            super(name, SqlFunctions.tensor(dtype, shape), arguments);
            this.dtype = dtype;
            this.dims = new ArrayList<>(shape.dims());
            this.source = new ArrayList<>(List.of(arguments.get(0).type()));
        }

        @Override
        Object settings() {
            return List.of(dtype, dims);
        }

        @Override
        public @Nullable InternalRow produceResult(InternalRow row) {
            if (row.isNullAt(0)) {
                return null;
            }
            try {
                TensorPacker packer = new TensorPacker("rf_pack", source.get(0), dtype, new Shape(dims));
                return new GenericInternalRow(new Object[] {packer.pack(row.getArray(0))});
            } catch (TensorPacker.Unfit e) {
                throw new UnfitValueException(Reason.UNFIT_TENSOR, "a list " + e.getMessage());
            }
        }
    }
}
