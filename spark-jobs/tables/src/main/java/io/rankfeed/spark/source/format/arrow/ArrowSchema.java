package io.rankfeed.spark.source.format.arrow;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.source.format.arrow.ArrowField.Dictionary;
import io.rankfeed.spark.source.format.arrow.ArrowField.FixedValue;
import io.rankfeed.spark.source.format.arrow.ArrowField.Layout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** Reads the schema of a file. */
final class ArrowSchema {
    private static final int MAX_DEPTH = 64;
    /** Offsets of a damaged flatbuffer may form a graph instead of a tree. */
    private static final int MAX_FIELDS = 1 << 20;

    private final String file;
    private int fields;

    private ArrowSchema(String file) {
        this.file = file;
    }

    /** @throws CorruptDataException or a runtime exception of flatbuffers if it is damaged */
    static List<ArrowField> read(@Nullable Schema schema, String file) {
        ArrowSchema reader = new ArrowSchema(file);
        if (schema == null) {
            throw reader.damage("it is missing");
        } else if (schema.endianness() != Endianness.Little) {
            throw new ConfigException(file + ": big-endian Arrow data is not supported; write the file again");
        }
        List<ArrowField> fields = new ArrayList<>();
        for (int i = 0; i < schema.fieldsLength(); i++) {
            fields.add(reader.field(schema.fields(i), 0));
        }
        return List.copyOf(fields);
    }

    /** The fields of the values of the dictionaries of a schema, by the dictionary's number. */
    static Map<Long, ArrowField> dictionaries(List<ArrowField> fields, String file) {
        Map<Long, ArrowField> values = new HashMap<>();
        fields.stream().flatMap(ArrowField::encoded).forEach(field -> {
            long id = Objects.requireNonNull(field.dictionary()).id();
            ArrowField other = values.putIfAbsent(id, field.withoutDictionary());
            if (other != null && !other.words().equals(field.words())) {
                throw new CorruptDataException(
                        file, "the schema: dictionary " + id + " is of " + other.words() + " and of " + field.words());
            }
        });
        return values;
    }

    private CorruptDataException damage(String what) {
        return new CorruptDataException(file, "the schema: " + what);
    }

    private ArrowField field(@Nullable Field stored, int depth) {
        if (stored == null || depth > MAX_DEPTH || fields++ > MAX_FIELDS) {
            throw damage("more than " + MAX_FIELDS + " fields, or more than " + MAX_DEPTH + " in each other");
        }
        List<ArrowField> children = new ArrayList<>();
        for (int i = 0; i < stored.childrenLength(); i++) {
            children.add(field(stored.children(i), depth + 1));
        }
        String name = Objects.requireNonNullElse(stored.name(), "");
        ArrowField field = ArrowTypes.of(stored, name, List.copyOf(children));
        DictionaryEncoding encoding = stored.dictionary();
        return encoding == null
                ? field
                : new ArrowField(
                        name,
                        field.nullable(),
                        field.layout(),
                        field.width(),
                        field.words(),
                        field.spark(),
                        field.value(),
                        field.children(),
                        new Dictionary(encoding.id(), index(name, encoding.indexType())));
    }

    private ArrowField index(String name, @Nullable Int type) {
        int bits = type == null ? 32 : type.bitWidth();
        boolean isSigned = type == null || type.isSigned();
        FixedValue value = ArrowTypes.integer(bits, isSigned);
        if (value == null) {
            throw damage("field '" + name + "' has a dictionary with indices of " + bits + " bits");
        }
        return new ArrowField(
                name, true, Layout.FIXED, bits, Type.name(Type.Int), DataTypes.LongType, value, List.of(), null);
    }
}
