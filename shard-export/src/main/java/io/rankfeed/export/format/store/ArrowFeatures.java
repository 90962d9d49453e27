package io.rankfeed.export.format.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.flatbuffers.FlatBufferBuilder;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import java.util.List;
import org.apache.arrow.flatbuf.Binary;
import org.apache.arrow.flatbuf.Bool;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

/**
 * A sample's schema as features of the {@code datasets} library and as the Arrow schema that the library derives from them:
 * a tensor is a list for each dimension, all fields are nullable. bfloat16 has no Arrow type: its bits are uint16.
 */
record ArrowFeatures(SampleSchema sample) {
    /** The key of the {@link #metadata}. */
    static final String KEY = "huggingface";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String ITEM = "item";

    /** The features by column, in the order of the columns. */
    ObjectNode json() {
        ObjectNode features = JSON.objectNode();
        for (Field field : sample.fields()) {
            features.set(field.name(), json(field, 0));
        }
        return features;
    }

    private static ObjectNode json(Field field, int dimension) {
        if (dimension == field.shape().rank()) {
            DType dtype = field.dtype() == DType.BFLOAT16 ? DType.UINT16 : field.dtype();
            return JSON.objectNode().put("dtype", dtype.id()).put("_type", "Value");
        }
        ObjectNode list = JSON.objectNode();
        list.set("feature", json(field, dimension + 1));
        int length = field.shape().dims().get(dimension);
        if (length != Shape.VARIABLE) {
            list.put("length", length);
        }
        return list.put("_type", "List");
    }

    /** The features as the library reads them from the metadata of a schema. */
    String metadata() {
        ObjectNode metadata = JSON.objectNode();
        metadata.putObject("info").set("features", json());
        return metadata.toString();
    }

    /** Writes the Arrow schema with the features as its metadata. @return its offset in the builder */
    int schema(FlatBufferBuilder builder) {
        List<Field> columns = sample.fields();
        int[] fields = new int[columns.size()];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = field(columns.get(i).name(), columns.get(i), 0, builder);
        }
        int vector = Schema.createFieldsVector(builder, fields);
        int key = builder.createString(KEY);
        int value = builder.createString(metadata());
        int pairs =
                Schema.createCustomMetadataVector(builder, new int[] {KeyValue.createKeyValue(builder, key, value)});
        return Schema.createSchema(builder, Endianness.Little, vector, pairs, 0);
    }

    private static int field(String name, Field field, int dimension, FlatBufferBuilder builder) {
        boolean isValue = dimension == field.shape().rank();
        int[] items = isValue ? new int[0] : new int[] {field(ITEM, field, dimension + 1, builder)};
        int children = org.apache.arrow.flatbuf.Field.createChildrenVector(builder, items);
        int text = builder.createString(name);
        byte type;
        int offset;
        if (isValue) {
            type = typeOf(field.dtype());
            offset = value(field.dtype(), builder);
        } else if (field.shape().dims().get(dimension) == Shape.VARIABLE) {
            type = Type.List;
            org.apache.arrow.flatbuf.List.startList(builder);
            offset = org.apache.arrow.flatbuf.List.endList(builder);
        } else {
            type = Type.FixedSizeList;
            offset = FixedSizeList.createFixedSizeList(
                    builder, field.shape().dims().get(dimension));
        }
        return org.apache.arrow.flatbuf.Field.createField(builder, text, true, type, offset, 0, children, 0);
    }

    private static byte typeOf(DType dtype) {
        return switch (dtype) {
            case BOOL -> Type.Bool;
            case FLOAT16, FLOAT32, FLOAT64 -> Type.FloatingPoint;
            case STRING -> Type.Utf8;
            case BINARY -> Type.Binary;
            default -> Type.Int;
        };
    }

    private static int value(DType dtype, FlatBufferBuilder builder) {
        switch (dtype) {
            case BOOL -> {
                Bool.startBool(builder);
                return Bool.endBool(builder);
            }
            case STRING -> {
                Utf8.startUtf8(builder);
                return Utf8.endUtf8(builder);
            }
            case BINARY -> {
                Binary.startBinary(builder);
                return Binary.endBinary(builder);
            }
            case FLOAT16 -> {
                return FloatingPoint.createFloatingPoint(builder, Precision.HALF);
            }
            case FLOAT32 -> {
                return FloatingPoint.createFloatingPoint(builder, Precision.SINGLE);
            }
            case FLOAT64 -> {
                return FloatingPoint.createFloatingPoint(builder, Precision.DOUBLE);
            }
            default -> {
                boolean signed =
                        dtype == DType.INT8 || dtype == DType.INT16 || dtype == DType.INT32 || dtype == DType.INT64;
                return Int.createInt(builder, dtype.sizeBytes() * Byte.SIZE, signed);
            }
        }
    }
}
