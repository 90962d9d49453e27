package io.rankfeed.spark.source.format.avro;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/** Maps the types of Avro to types of Spark. Nested values are nullable in Spark, whatever the schema says. */
final class AvroTypes {
    /** The names of the records around a type: one of them inside itself is recursive. */
    private final Set<String> records = new HashSet<>();

    private AvroTypes() {}

    /**
     * Returns the type in Spark; null for types that Spark does not have: unions of several types, and records that
     * contain themselves.
     */
    static @Nullable DataType inSpark(Schema schema) {
        return new AvroTypes().type(schema);
    }

    /** A type in one line, without whether it may be null. */
    static String words(Schema schema) {
        return new AvroTypes().written(schema);
    }

    /** The type of a union of it and null; a schema that is not such a union is returned. */
    static Schema withoutNull(Schema schema) {
        if (!schema.isUnion()) {
            return schema;
        }
        List<Schema> others = schema.getTypes().stream()
                .filter(type -> type.getType() != Schema.Type.NULL)
                .toList();
        return others.size() == 1 ? others.get(0) : schema;
    }

    private @Nullable DataType type(Schema nullable) {
        Schema schema = withoutNull(nullable);
        LogicalType logical = schema.getLogicalType();
        return switch (schema.getType()) {
            case NULL -> DataTypes.NullType;
            case BOOLEAN -> DataTypes.BooleanType;
            case INT -> logical instanceof LogicalTypes.Date ? DataTypes.DateType : DataTypes.IntegerType;
            case LONG -> time(logical);
            case FLOAT -> DataTypes.FloatType;
            case DOUBLE -> DataTypes.DoubleType;
            case STRING, ENUM -> DataTypes.StringType;
            case BYTES, FIXED ->
                logical instanceof LogicalTypes.Decimal decimal ? decimal(decimal) : DataTypes.BinaryType;
            case ARRAY -> {
                DataType item = type(schema.getElementType());
                yield item == null ? null : DataTypes.createArrayType(item, true);
            }
            case MAP -> {
                DataType value = type(schema.getValueType());
                yield value == null ? null : DataTypes.createMapType(DataTypes.StringType, value, true);
            }
            case RECORD -> record(schema);
            case UNION -> null;
        };
    }

    private static DataType time(@Nullable LogicalType logical) {
        if (logical instanceof LogicalTypes.TimestampMillis || logical instanceof LogicalTypes.TimestampMicros) {
            return DataTypes.TimestampType;
        }
        return logical instanceof LogicalTypes.LocalTimestampMillis
                        || logical instanceof LogicalTypes.LocalTimestampMicros
                ? DataTypes.TimestampNTZType
                : DataTypes.LongType;
    }

    private static @Nullable DataType decimal(LogicalTypes.Decimal decimal) {
        return decimal.getPrecision() <= DecimalType.MAX_PRECISION()
                ? DataTypes.createDecimalType(decimal.getPrecision(), decimal.getScale())
                : null;
    }

    private @Nullable DataType record(Schema schema) {
        if (schema.getFields().isEmpty() || !records.add(schema.getFullName())) {
            return null;
        }
        StructField[] fields = new StructField[schema.getFields().size()];
        for (Field field : schema.getFields()) {
            DataType type = type(field.schema());
            if (type == null) {
                return null;
            }
            fields[field.pos()] = DataTypes.createStructField(field.name(), type, true);
        }
        records.remove(schema.getFullName());
        return DataTypes.createStructType(fields);
    }

    private String written(Schema nullable) {
        Schema schema = withoutNull(nullable);
        String name = schema.getType().getName();
        return switch (schema.getType()) {
            case ARRAY -> name + "<" + written(schema.getElementType()) + ">";
            case MAP -> name + "<" + written(schema.getValueType()) + ">";
            case UNION ->
                schema.getTypes().stream().map(this::written).collect(Collectors.joining(", ", "union<", ">"));
            case RECORD -> {
                if (!records.add(schema.getFullName())) {
                    yield name + " " + schema.getFullName();
                }
                String words = schema.getFields().stream()
                        .map(field -> field.name() + ": " + written(field.schema()))
                        .collect(Collectors.joining(", ", "record<", ">"));
                records.remove(schema.getFullName());
                yield words;
            }
            case FIXED -> name + "(" + schema.getFixedSize() + ")" + logical(schema);
            default -> name + logical(schema);
        };
    }

    private static String logical(Schema schema) {
        LogicalType logical = schema.getLogicalType();
        if (logical instanceof LogicalTypes.Decimal decimal) {
            return " decimal(" + decimal.getPrecision() + ", " + decimal.getScale() + ")";
        }
        return logical == null ? "" : " " + logical.getName();
    }
}
