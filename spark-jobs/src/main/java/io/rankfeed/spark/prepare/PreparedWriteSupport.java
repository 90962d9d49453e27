package io.rankfeed.spark.prepare;

import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Writes the first columns of a row, as many as the schema has, with Spark's own description of the schema in the
 * footer. Nothing else goes there: no time, no host, so that equal rows are equal bytes.
 */
final class PreparedWriteSupport extends WriteSupport<UnsafeRow> {
    private static final String SPARK_SCHEMA = "org.apache.spark.sql.parquet.row.metadata";

    private interface ColumnWriter {
        void write(UnsafeRow row, int ordinal, RecordConsumer out);
    }

    private final StructType schema;
    private final String[] names;
    private final ColumnWriter[] writers;
    private @Nullable RecordConsumer consumer;

    PreparedWriteSupport(StructType schema) {
        this.schema = schema;
        this.names = schema.fieldNames();
        this.writers = Stream.of(schema.fields())
                .map(field -> writer(field.dataType()))
                .toArray(ColumnWriter[]::new);
    }

    @Override
    @Deprecated
    public WriteContext init(Configuration conf) {
        return context();
    }

    @Override
    public WriteContext init(ParquetConfiguration conf) {
        return context();
    }

    private WriteContext context() {
        Types.MessageTypeBuilder message = Types.buildMessage();
        for (StructField field : schema.fields()) {
            message.addField(type(field));
        }
        return new WriteContext(named(message), Map.of(SPARK_SCHEMA, schema.json()));
    }

    private static MessageType named(Types.MessageTypeBuilder message) {
        return message.named("spark_schema");
    }

    @Override
    public void prepareForWrite(RecordConsumer target) {
        consumer = target;
    }

    @Override
    public void write(UnsafeRow row) {
        RecordConsumer out = out();
        out.startMessage();
        for (int i = 0; i < writers.length; i++) {
            if (!row.isNullAt(i)) {
                out.startField(names[i], i);
                writers[i].write(row, i, out);
                out.endField(names[i], i);
            }
        }
        out.endMessage();
    }

    private RecordConsumer out() {
        if (consumer == null) {
            throw new IllegalStateException("Parquet writes before it prepared to write");
        }
        return consumer;
    }

    private static Binary inPlace(UTF8String bytes) {
        byte[] base = (byte[]) bytes.getBaseObject();
        int offset = (int) (bytes.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
        return Binary.fromReusedByteArray(base, offset, bytes.numBytes());
    }

    private static ColumnWriter writer(DataType type) {
        return switch (type.typeName()) {
            case "boolean" -> (row, i, out) -> out.addBoolean(row.getBoolean(i));
            case "byte" -> (row, i, out) -> out.addInteger(row.getByte(i));
            case "short" -> (row, i, out) -> out.addInteger(row.getShort(i));
            case "integer" -> (row, i, out) -> out.addInteger(row.getInt(i));
            case "long" -> (row, i, out) -> out.addLong(row.getLong(i));
            case "float" -> (row, i, out) -> out.addFloat(row.getFloat(i));
            case "double" -> (row, i, out) -> out.addDouble(row.getDouble(i));
            // An unsafe row holds strings and binary alike, and they are taken from where they lie.
            case "string", "binary" -> (row, i, out) -> out.addBinary(inPlace(row.getUTF8String(i)));
            default -> throw new IllegalArgumentException("no Parquet form for " + type.simpleString());
        };
    }

    private static Type type(StructField field) {
        return switch (field.dataType().typeName()) {
            case "boolean" -> optional(field, PrimitiveTypeName.BOOLEAN, null);
            case "byte" -> optional(field, PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(8, true));
            case "short" -> optional(field, PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(16, true));
            case "integer" -> optional(field, PrimitiveTypeName.INT32, null);
            case "long" -> optional(field, PrimitiveTypeName.INT64, null);
            case "float" -> optional(field, PrimitiveTypeName.FLOAT, null);
            case "double" -> optional(field, PrimitiveTypeName.DOUBLE, null);
            case "string" -> optional(field, PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType());
            default -> optional(field, PrimitiveTypeName.BINARY, null);
        };
    }

    private static Type optional(
            StructField field, PrimitiveTypeName primitive, @Nullable LogicalTypeAnnotation annotation) {
        return Types.optional(primitive).as(annotation).named(field.name());
    }
}
