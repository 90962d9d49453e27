package io.rankfeed.schema.cache;

import com.google.flatbuffers.FlatBufferBuilder;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.SchemaJson;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Schema;

/** A sample's schema as an Arrow schema, and back. */
public final class CacheSchema {
    static final String DTYPE_KEY = "rankfeed.dtype";
    static final String SHAPE_KEY = "rankfeed.shape";

    private CacheSchema() {}

    /** Writes the Arrow schema of these fields. @return its offset in the builder */
    public static int write(SampleSchema schema, FlatBufferBuilder builder) {
        int[] fields = CacheColumn.of(schema).stream()
                .mapToInt(column -> field(column, builder))
                .toArray();
        int vector = Schema.createFieldsVector(builder, fields);
        return Schema.createSchema(builder, Endianness.Little, vector, 0, 0);
    }

    /**
     * The sample's schema of an Arrow schema that {@link #write} could have written.
     *
     * @param file for messages
     * @throws CorruptDataException if anything in it differs from that
     */
    public static SampleSchema read(Schema schema, String file) {
        if (schema.endianness() != Endianness.Little || schema.featuresLength() != 0) {
            throw new CorruptDataException(file, "the Arrow schema must be little-endian and without features");
        }
        int count = schema.fieldsLength();
        if (count > 2 * SampleSchema.MAX_FIELDS + CacheColumn.PROVENANCE.size()) {
            throw new CorruptDataException(file, "the Arrow schema has " + count + " columns");
        }
        List<CacheColumn> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(column(schema.fields(i), file));
        }
        if (count <= 3 || !columns.subList(0, 3).equals(CacheColumn.PROVENANCE)) {
            throw new CorruptDataException(
                    file, "the columns must begin with _row_id, _source, _source_row and a field");
        }
        try {
            return fields(columns);
        } catch (ConfigException e) {
            throw new CorruptDataException(file, e.getMessage(), e);
        }
    }

    private static SampleSchema fields(List<CacheColumn> columns) {
        List<Field> fields = new ArrayList<>();
        for (int i = CacheColumn.PROVENANCE.size(); i < columns.size(); i++) {
            CacheColumn column = columns.get(i);
            boolean nullable = i + 1 < columns.size() && columns.get(i + 1).equals(CacheColumn.valid(column.name()));
            fields.add(new Field(column.name(), column.dtype(), column.shape(), nullable));
            i += nullable ? 1 : 0;
        }
        return new SampleSchema(fields);
    }

    private static int field(CacheColumn column, FlatBufferBuilder builder) {
        int metadata = org.apache.arrow.flatbuf.Field.createCustomMetadataVector(builder, new int[] {
            keyValue(DTYPE_KEY, column.dtype().id(), builder),
            keyValue(SHAPE_KEY, CanonicalJson.compactText(SchemaJson.toJson(column.shape())), builder)
        });
        return ArrowTypes.write(column, metadata, builder);
    }

    static int keyValue(String key, String value, FlatBufferBuilder builder) {
        return KeyValue.createKeyValue(builder, builder.createString(key), builder.createString(value));
    }

    private static CacheColumn column(org.apache.arrow.flatbuf.Field field, String file) {
        String name = String.valueOf(field.name());
        String dtype = null;
        String shape = null;
        for (int i = 0; i < field.customMetadataLength(); i++) {
            KeyValue entry = field.customMetadata(i);
            if (DTYPE_KEY.equals(entry.key())) {
                dtype = entry.value();
            } else if (SHAPE_KEY.equals(entry.key())) {
                shape = entry.value();
            }
        }
        if (dtype == null || shape == null || field.customMetadataLength() != 2) {
            throw new CorruptDataException(file, "column '" + name + "' lacks " + DTYPE_KEY + " or " + SHAPE_KEY);
        }
        CacheColumn column;
        try {
            Shape dims = SchemaJson.shapeOf(shape, file);
            column = new CacheColumn(name, DType.fromId(dtype), dims);
        } catch (ConfigException e) {
            throw new CorruptDataException(file, "column '" + name + "': " + e.getMessage(), e);
        }
        if (!ArrowTypes.matches(column, field)) {
            throw new CorruptDataException(
                    file, "column '" + name + "' has not the Arrow type of " + dtype + " " + shape);
        }
        return column;
    }
}
