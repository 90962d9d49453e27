package io.rankfeed.spark.source.format.tfrecord;

import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.Utf8;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * A feature of a {@code tf.train.Example}.
 *
 * <pre>
 *   Example  { 1: Features }   Features { 1: entry … }   entry { 1: name  2: Feature }
 *   Feature  { 1: BytesList | 2: FloatList | 3: Int64List }     lists { 1: packed numbers, or each value }
 * </pre>
 *
 * @param list the content of its list
 */
record Feature(Kind kind, ByteBuffer list) {
    /** The kinds in the order of their members. */
    enum Kind {
        BYTES("bytes", DataTypes.BinaryType),
        FLOAT("float", DataTypes.FloatType),
        INT64("int64", DataTypes.LongType);

        private final String words;

        @SuppressWarnings("ImmutableEnumChecker") // Spark's types are immutable.
        private final DataType type;

        Kind(String words, DataType type) {
            this.words = words;
            this.type = type;
        }

        String words() {
            return words;
        }

        DataType type() {
            return type;
        }
    }

    /** Reads an example. A feature without a list is missing. @throws BadValue if it is not one */
    static Map<String, Feature> ofExample(byte[] record) {
        Map<String, Feature> features = new HashMap<>();
        ProtoBytes example = new ProtoBytes(ByteBuffer.wrap(record));
        while (example.next()) {
            if (example.is(1, ProtoBytes.BYTES)) {
                readFeatures(new ProtoBytes(example.bytes()), features);
            } else if (example.is(2, ProtoBytes.BYTES)) {
                throw BadValue.unsupported("a SequenceExample; write tf.train.Example");
            } else {
                example.skip();
            }
        }
        return features;
    }

    private static void readFeatures(ProtoBytes entries, Map<String, Feature> features) {
        while (entries.next()) {
            if (!entries.is(1, ProtoBytes.BYTES)) {
                entries.skip();
                continue;
            }
            ProtoBytes entry = new ProtoBytes(entries.bytes());
            String name = "";
            Feature feature = null;
            while (entry.next()) {
                if (entry.is(1, ProtoBytes.BYTES)) {
                    ByteBuffer text = entry.bytes();
                    name = Utf8.text(text.array(), text.arrayOffset(), text.limit());
                } else if (entry.is(2, ProtoBytes.BYTES)) {
                    feature = of(new ProtoBytes(entry.bytes()));
                } else {
                    entry.skip();
                }
            }
            // Of two entries with one key, Protocol Buffers keep the last.
            features.remove(name);
            if (feature != null) {
                features.put(name, feature);
            }
        }
    }

    private static @Nullable Feature of(ProtoBytes in) {
        Feature feature = null;
        while (in.next()) {
            int member = in.number();
            if (member <= Kind.values().length && in.is(member, ProtoBytes.BYTES)) {
                feature = new Feature(Kind.values()[member - 1], in.bytes());
            } else {
                in.skip();
            }
        }
        return feature;
    }

    /** Whether the list has exactly one value. */
    boolean isScalar() {
        return values(2).size() == 1;
    }

    /** Returns the value of a column. @throws BadValue if it is not a list, and there is not one value */
    Object value(boolean isList) {
        List<Object> values = values(Integer.MAX_VALUE);
        if (isList) {
            return values.toArray();
        } else if (values.size() != 1) {
            throw BadValue.damaged("has " + values.size() + " values, where all had one; the file changed");
        }
        return values.get(0);
    }

    private List<Object> values(int max) {
        List<Object> values = new ArrayList<>();
        ProtoBytes in = new ProtoBytes(list);
        while (values.size() < max && in.next()) {
            if (in.is(1, ProtoBytes.BYTES)) {
                ByteBuffer content = in.bytes();
                if (kind == Kind.BYTES) {
                    byte[] value = new byte[content.remaining()];
                    content.get(value);
                    values.add(value);
                } else {
                    ProtoBytes packed = new ProtoBytes(content);
                    while (values.size() < max && packed.hasRemaining()) {
                        values.add(number(packed));
                    }
                }
            } else if (kind != Kind.BYTES && in.is(1, kind == Kind.FLOAT ? ProtoBytes.FIXED32 : ProtoBytes.VARINT)) {
                values.add(number(in));
            } else {
                in.skip();
            }
        }
        return values;
    }

    private Object number(ProtoBytes in) {
        return kind == Kind.FLOAT ? (Object) in.fixed32() : (Object) in.varint();
    }
}
