package io.rankfeed.export.format.store;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import java.util.List;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/** The columns of a sample in Parquet, as pyarrow writes them: a list of three levels for each dimension, and all optional. */
final class ParquetColumns {
    private static final String LIST = "list";
    private static final String ELEMENT = "element";

    private final List<Field> fields;
    private final ByteBuilder value = new ByteBuilder();

    ParquetColumns(SampleSchema schema) {
        fields = schema.fields();
    }

    MessageType type() {
        return new MessageType(
                "schema",
                fields.stream().map(field -> type(field, 0, field.name())).toList());
    }

    private static Type type(Field field, int dimension, String name) {
        if (dimension < field.shape().rank()) {
            return Types.optionalList()
                    .element(type(field, dimension + 1, ELEMENT))
                    .named(name);
        }
        return switch (field.dtype()) {
            case BOOL -> Types.optional(PrimitiveTypeName.BOOLEAN).named(name);
            case FLOAT16 ->
                Types.optional(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
                        .length(Short.BYTES)
                        .as(LogicalTypeAnnotation.float16Type())
                        .named(name);
            case FLOAT32 -> Types.optional(PrimitiveTypeName.FLOAT).named(name);
            case FLOAT64 -> Types.optional(PrimitiveTypeName.DOUBLE).named(name);
            case STRING ->
                Types.optional(PrimitiveTypeName.BINARY)
                        .as(LogicalTypeAnnotation.stringType())
                        .named(name);
            case BINARY -> Types.optional(PrimitiveTypeName.BINARY).named(name);
            case BFLOAT16, UINT8, UINT16, UINT32, UINT64 -> integer(field.dtype(), false, name);
            case INT8, INT16, INT32, INT64 -> integer(field.dtype(), true, name);
        };
    }

    private static Type integer(DType dtype, boolean isSigned, String name) {
        return Types.optional(dtype.sizeBytes() == Long.BYTES ? PrimitiveTypeName.INT64 : PrimitiveTypeName.INT32)
                .as(LogicalTypeAnnotation.intType(dtype.sizeBytes() * Byte.SIZE, isSigned))
                .named(name);
    }

    void write(FormatRow row, RecordConsumer out) {
        out.startMessage();
        for (int index = 0; index < fields.size(); index++) {
            if (!row.isMissing(index)) {
                Field field = fields.get(index);
                out.startField(field.name(), index);
                switch (field.kind()) {
                    case BYTES -> out.addBinary(bytes(row.array(index), row.offset(index), row.lengthBytes(index)));
                    case LIST -> items(row.list(index), out);
                    case FIXED, RAGGED -> {
                        value.clear();
                        row.appendTo(value, index);
                        tensor(field, 0, 0, out);
                    }
                }
                out.endField(field.name(), index);
            }
        }
        out.endMessage();
    }

    private static void items(PackedList list, RecordConsumer out) {
        startList(list.count(), out);
        int at = list.valuesOffset();
        for (int item = 0; item < list.count(); item++) {
            startElement(out);
            out.addBinary(bytes(list.array(), at, list.itemLength(item)));
            endElement(out);
            at += list.itemLength(item);
        }
        endList(list.count(), out);
    }

    /** Writes the part of a tensor that begins at a byte of the value. @return the byte after it */
    private int tensor(Field field, int dimension, int from, RecordConsumer out) {
        if (dimension == field.shape().rank()) {
            number(field.dtype(), from, out);
            return from + field.dtype().sizeBytes();
        }
        int dim = field.shape().dims().get(dimension);
        int count = dim == Shape.VARIABLE ? value.size() / field.strideBytes() : dim;
        int at = from;
        startList(count, out);
        for (int element = 0; element < count; element++) {
            startElement(out);
            at = tensor(field, dimension + 1, at, out);
            endElement(out);
        }
        endList(count, out);
        return at;
    }

    private void number(DType dtype, int at, RecordConsumer out) {
        byte[] array = value.array();
        switch (dtype) {
            case BOOL -> out.addBoolean(array[at] != 0);
            case INT8 -> out.addInteger(array[at]);
            case UINT8 -> out.addInteger(Byte.toUnsignedInt(array[at]));
            case INT16 -> out.addInteger(ByteBuilder.getShort(array, at));
            case UINT16, BFLOAT16 -> out.addInteger(Short.toUnsignedInt(ByteBuilder.getShort(array, at)));
            case INT32, UINT32 -> out.addInteger(ByteBuilder.getInt(array, at));
            case INT64, UINT64 -> out.addLong(ByteBuilder.getLong(array, at));
            case FLOAT16 -> out.addBinary(bytes(array, at, Short.BYTES));
            case FLOAT32 -> out.addFloat(Float.intBitsToFloat(ByteBuilder.getInt(array, at)));
            case FLOAT64 -> out.addDouble(Double.longBitsToDouble(ByteBuilder.getLong(array, at)));
            case STRING, BINARY -> throw new IllegalStateException(dtype + " is no number");
        }
    }

    /** The array has other values later. */
    private static Binary bytes(byte[] array, int offset, int lengthBytes) {
        return Binary.fromReusedByteArray(array, offset, lengthBytes);
    }

    private static void startList(int count, RecordConsumer out) {
        out.startGroup();
        // A field without values must not be started.
        if (count > 0) {
            out.startField(LIST, 0);
        }
    }

    private static void startElement(RecordConsumer out) {
        out.startGroup();
        out.startField(ELEMENT, 0);
    }

    private static void endElement(RecordConsumer out) {
        out.endField(ELEMENT, 0);
        out.endGroup();
    }

    private static void endList(int count, RecordConsumer out) {
        if (count > 0) {
            out.endField(LIST, 0);
        }
        out.endGroup();
    }
}
