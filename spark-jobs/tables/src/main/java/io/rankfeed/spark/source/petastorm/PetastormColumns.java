package io.rankfeed.spark.source.petastorm;

import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;

import io.rankfeed.export.petastorm.Unischema;
import io.rankfeed.export.petastorm.UnischemaField;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.TensorMetadata;
import io.rankfeed.spark.tensor.ScalarKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * A Unischema over the Parquet files of its dataset: which columns they have, and what a row's values become.
 *
 * @param dataset its name, for messages
 */
public record PetastormColumns(Unischema schema, String dataset) {
    /** The names of the Unischema's fields, in its order. */
    List<String> names() {
        return schema.fields().stream().map(UnischemaField::name).toList();
    }

    /** The types of partition columns by the Unischema. */
    Map<String, DataType> types(List<String> partitions) {
        Map<String, DataType> types = new HashMap<>();
        for (UnischemaField field : schema.fields()) {
            if (partitions.contains(field.name())) {
                types.put(field.name(), scalarType(field, DataTypes.StringType));
            }
        }
        return types;
    }

    /**
     * The Unischema's fields, in its order, decoded.
     *
     * @param wanted which of them
     * @param read the columns that there are
     * @param file a row's file
     * @param row its index in it
     * @throws CorruptDataException if a field that is not nullable is in no file
     */
    public List<Column> decoded(Predicate<String> wanted, StructType read, Column file, Column row) {
        Set<String> known = new HashSet<>(Arrays.asList(read.fieldNames()));
        List<Column> columns = new ArrayList<>();
        for (UnischemaField field : schema.fields()) {
            if (!wanted.test(field.name())) {
                continue;
            }
            FieldForm form = FieldForm.of(field);
            if (known.contains(field.name())) {
                columns.add(column(field, form, read.apply(field.name()), file, row));
            } else if (field.nullable()) {
                columns.add(lit(null)
                        .cast(type(field, form, DataTypes.StringType))
                        .as(field.name(), metadata(field, form)));
            } else {
                throw new CorruptDataException(
                        dataset, "its Unischema has the field '" + field.name() + "', and its files do not");
            }
        }
        return columns;
    }

    private static Column column(UnischemaField field, FieldForm form, StructField stored, Column file, Column row) {
        Column column = Columns.named(field.name());
        return switch (form) {
            case AS_STORED -> column;
            case SCALAR -> column.cast(type(field, form, stored.dataType())).as(field.name());
            case ELEMENT, PACKED, NESTED ->
                udf(new FieldDecoder(field, form), type(field, form, stored.dataType()))
                        .apply(column, file, row)
                        .as(field.name(), metadata(field, form));
        };
    }

    private static DataType type(UnischemaField field, FieldForm form, DataType stored) {
        return switch (form) {
            case AS_STORED -> stored;
            case SCALAR -> scalarType(field, stored);
            case PACKED -> DataTypes.BinaryType;
            case ELEMENT -> ScalarKind.holding(dtype(field)).type();
            case NESTED -> {
                DataType nested = ScalarKind.holding(dtype(field)).type();
                for (int i = 0; i < field.shape().size(); i++) {
                    nested = DataTypes.createArrayType(nested, false);
                }
                yield nested;
            }
        };
    }

    /** Text, dates and decimals stay what the file has: numpy would take them as they come. */
    private static DataType scalarType(UnischemaField field, DataType stored) {
        return field.type().isText() || field.type().dtype().isEmpty()
                ? stored
                : ScalarKind.holding(dtype(field)).type();
    }

    private static DType dtype(UnischemaField field) {
        return field.type().dtype().orElseThrow();
    }

    private static Metadata metadata(UnischemaField field, FieldForm form) {
        if (form != FieldForm.PACKED) {
            return Metadata.empty();
        }
        return new TensorMetadata(dtype(field), new Shape(field.shape()), 0).toMetadata();
    }
}
