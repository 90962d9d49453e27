package io.rankfeed.spark.prepare.query;

import io.rankfeed.job.TensorSection;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.run.Progress;
import io.rankfeed.spark.tensor.ExactHalves;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/** Decides {@code dtype: auto}: one pass over a column's values before they are packed. */
final class NarrowestTypes {
    private NarrowestTypes() {}

    /**
     * The job's tensors, each with a dtype of its own where it asked for the narrowest.
     *
     * @throws ConfigException if a column that asks for it is not a list of numbers
     */
    static Map<String, TensorSection> decided(
            Dataset<Row> rows, Map<String, TensorSection> tensors, Progress progress) {
        Map<String, TensorSection> decided = new HashMap<>(tensors);
        for (StructField field : rows.schema().fields()) {
            TensorSection section = tensors.get(field.name());
            if (section != null && section.isAuto()) {
                decided.put(field.name(), section.as(narrowest(rows, field, progress)));
            }
        }
        return decided;
    }

    private static DType narrowest(Dataset<Row> rows, StructField field, Progress progress) {
        Column flat = Columns.named(field.name());
        DataType type = field.dataType();
        while (type instanceof ArrayType list && list.elementType() instanceof ArrayType) {
            flat = functions.flatten(flat);
            type = list.elementType();
        }
        String element = type instanceof ArrayType list ? list.elementType().typeName() : "";
        return switch (element) {
            case "byte", "short", "integer", "long" -> integer(rows, field.name(), flat, progress);
            case "float", "double" -> real(rows, field.name(), flat, element, progress);
            default ->
                throw new ConfigException("prepare.tensors." + field.name() + ": the column is "
                        + field.dataType().simpleString() + "; dtype: auto is for lists of integers and floats");
        };
    }

    private static DType integer(Dataset<Row> rows, String name, Column list, Progress progress) {
        Row found = rows.agg(functions.min(functions.array_min(list)), functions.max(functions.array_max(list)))
                .first();
        if (found.isNullAt(0)) {
            return reported(progress, name, DType.INT8, "it has no values");
        }
        long least = ((Number) found.get(0)).longValue();
        long most = ((Number) found.get(1)).longValue();
        DType dtype = fits(least, most, Byte.MIN_VALUE, Byte.MAX_VALUE)
                ? DType.INT8
                : fits(least, most, 0, 0xFF)
                        ? DType.UINT8
                        : fits(least, most, Short.MIN_VALUE, Short.MAX_VALUE)
                                ? DType.INT16
                                : fits(least, most, Integer.MIN_VALUE, Integer.MAX_VALUE) ? DType.INT32 : DType.INT64;
        return reported(
                progress, name, dtype, String.format(Locale.ROOT, "its values range from %,d to %,d", least, most));
    }

    private static boolean fits(long least, long most, long from, long to) {
        return least >= from && most <= to;
    }

    private static DType real(Dataset<Row> rows, String name, Column list, String element, Progress progress) {
        Column numbers = list.cast(DataTypes.createArrayType(DataTypes.DoubleType));
        Row found = rows.agg(
                        all(numbers, ExactHalves::holdsFloat16),
                        all(numbers, ExactHalves::holdsBfloat16),
                        all(numbers, ExactHalves::holdsFloat32))
                .first();
        List<DType> candidates = List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32);
        for (int i = 0; i < candidates.size(); i++) {
            if (found.isNullAt(i) || found.getBoolean(i)) {
                return reported(
                        progress,
                        name,
                        candidates.get(i),
                        "it holds every value exactly" + (i == 0 ? "" : ", and no narrower type does"));
            }
        }
        return reported(progress, name, DType.FLOAT64, "some of its " + element + " values need all their bits");
    }

    private static Column all(Column numbers, UDF1<Double, Boolean> holds) {
        UserDefinedFunction exact = functions.udf(holds, DataTypes.BooleanType);
        return functions.min(
                functions.forall(numbers, value -> functions.coalesce(exact.apply(value), functions.lit(true))));
    }

    private static DType reported(Progress progress, String name, DType dtype, String why) {
        progress.note("prepare.tensors." + name + ": dtype " + dtype.id() + ", as " + why);
        return dtype;
    }
}
