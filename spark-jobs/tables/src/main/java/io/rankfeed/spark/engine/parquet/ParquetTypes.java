package io.rankfeed.spark.engine.parquet;

import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.schema.failure.CorruptDataException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.execution.datasources.parquet.ParquetUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;
import org.apache.spark.sql.types.VariantType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/** Columns of Parquet files as Spark's types. */
public final class ParquetTypes {
    /** The footer's key for Spark's own schema, as JSON. */
    public static final String SPARK_SCHEMA = "org.apache.spark.sql.parquet.row.metadata";

    private ParquetTypes() {}

    /**
     * The schema that Spark wrote into a footer; empty for another writer's file.
     *
     * @throws CorruptDataException if it is no schema
     */
    public static Optional<StructType> stored(ParquetFooter footer) {
        return footer.keyValue(SPARK_SCHEMA).map(json -> {
            try {
                return (StructType) DataType.fromJson(json);
            } catch (Exception e) {
                // Scala throws checked exceptions without declaring them.
                throw new CorruptDataException(
                        footer.tail().name(), footer.tail().footerStart(), "Spark's schema in the footer is not valid");
            }
        });
    }

    /**
     * The columns of a file, with the types of Spark's schema in its footer where the stored values have these types: programs that
     * change the columns of a file keep that schema.
     *
     * @param written Spark's schema, or the columns of the file in Spark's types
     * @param file whose columns {@link #areSparks}
     */
    public static StructType matching(StructType written, MessageType file) {
        return new StructType(Arrays.stream(convertible(file, true).fields())
                .map(stored -> Arrays.stream(written.fields())
                        .filter(field -> field.name().equals(stored.name()))
                        .filter(field -> isStoredAs(field.dataType(), stored.dataType()))
                        .findFirst()
                        .orElse(stored))
                .toArray(StructField[]::new));
    }

    /** Whether a type has the values of another one. Variants without a logical type are stored as structs. */
    private static boolean isStoredAs(DataType type, DataType stored) {
        return type.existsRecursively(VariantType.class::isInstance)
                || plain(type).equals(plain(stored));
    }

    /** The type of the stored values, apart from nulls. */
    private static DataType plain(DataType type) {
        if (type instanceof ArrayType array) {
            return new ArrayType(plain(array.elementType()), true);
        } else if (type instanceof MapType map) {
            return new MapType(plain(map.keyType()), plain(map.valueType()), true);
        } else if (type instanceof StructType struct) {
            return new StructType(Arrays.stream(struct.fields())
                    .map(field -> new StructField(field.name(), plain(field.dataType()), true, Metadata.empty()))
                    .toArray(StructField[]::new));
        } else if (type instanceof UserDefinedType<?> defined) {
            return plain(defined.sqlType());
        } else if (type instanceof YearMonthIntervalType) {
            return DataTypes.IntegerType;
        } else if (type instanceof DayTimeIntervalType) {
            return DataTypes.LongType;
        }
        return type instanceof StringType ? DataTypes.StringType : type;
    }

    /** Whether Spark has a type for every column, and reads it as that. */
    public static boolean areSparks(MessageType schema) {
        return convertible(schema, true).length() == schema.getFieldCount()
                && schema.getFields().stream().allMatch(field -> !PlainTypes.isIn(field));
    }

    /** Whether Spark's vectorized reader is used for a table. */
    public static boolean isByColumn(SparkSession spark, StructType table) {
        return ParquetUtils.isBatchReadSupportedForSchema(
                ((org.apache.spark.sql.classic.SparkSession) spark)
                        .sessionState()
                        .conf(),
                table);
    }

    /**
     * The columns that Spark has a type for, or reads as {@link PlainTypes}.
     *
     * @param byColumn whether Spark's vectorized reader reads them
     */
    public static StructType convertible(MessageType schema, boolean byColumn) {
        ParquetToSparkSchemaConverter converter = new ParquetToSparkSchemaConverter(SQLConf.get());
        return new StructType(schema.getFields().stream()
                .flatMap(field -> PlainTypes.of(field, byColumn).stream())
                .flatMap(field -> converted(converter, schema.getName(), field).stream())
                .toArray(StructField[]::new));
    }

    /** Whether a column of a file has a type of Spark's, apart from nulls. */
    public static boolean isReadAs(Type field, DataType type) {
        StructField[] columns =
                convertible(new MessageType("table", field), true).asNullable().fields();
        return columns.length == 1
                && columns[0]
                        .dataType()
                        .equals(new StructType()
                                .add("x", type)
                                .asNullable()
                                .apply(0)
                                .dataType());
    }

    private static Optional<StructField> converted(ParquetToSparkSchemaConverter converter, String root, Type field) {
        try {
            return Optional.of(converter.convert(new MessageType(root, field)).fields()[0]);
        } catch (Exception e) {
            // Scala throws checked exceptions without declaring them; whatever it is, Spark has no type for this
            // column.
            return Optional.empty();
        }
    }
}
