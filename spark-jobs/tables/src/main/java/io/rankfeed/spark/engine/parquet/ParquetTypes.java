package io.rankfeed.spark.engine.parquet;

import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.schema.failure.CorruptDataException;
import java.util.Optional;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.execution.datasources.parquet.ParquetUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

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
