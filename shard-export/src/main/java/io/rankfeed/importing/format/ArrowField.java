package io.rankfeed.importing.format;

import io.rankfeed.schema.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;

/**
 * A field of an Arrow schema, with what its layout depends on.
 *
 * @param type of {@link Type}
 * @param number its type of numbers; BINARY for other types
 * @param listSize of a list of fixed size; otherwise 0
 */
record ArrowField(String name, byte type, boolean isDictionary, DType number, int listSize, List<ArrowField> children) {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_FIELDS = 1 << 16;

    /** The buffers of a type, with that of validity; types with a variable number are absent. */
    private static final Map<Byte, Integer> BUFFERS = Map.ofEntries(
            Map.entry(Type.Null, 0),
            Map.entry(Type.Int, 2),
            Map.entry(Type.FloatingPoint, 2),
            Map.entry(Type.Bool, 2),
            Map.entry(Type.Decimal, 2),
            Map.entry(Type.Date, 2),
            Map.entry(Type.Time, 2),
            Map.entry(Type.Timestamp, 2),
            Map.entry(Type.Interval, 2),
            Map.entry(Type.Duration, 2),
            Map.entry(Type.FixedSizeBinary, 2),
            Map.entry(Type.Binary, 3),
            Map.entry(Type.Utf8, 3),
            Map.entry(Type.LargeBinary, 3),
            Map.entry(Type.LargeUtf8, 3),
            Map.entry(Type.List, 2),
            Map.entry(Type.LargeList, 2),
            Map.entry(Type.Map, 2),
            Map.entry(Type.FixedSizeList, 1),
            Map.entry(Type.Struct_, 1));

    /**
     * The fields of a schema. Fields of a hostile one may share children, so all of them are counted.
     *
     * @throws IllegalArgumentException if there are too many
     */
    static List<ArrowField> all(Schema schema) {
        AtomicInteger left = new AtomicInteger(MAX_FIELDS);
        List<ArrowField> fields = new ArrayList<>();
        for (int i = 0; i < schema.fieldsLength(); i++) {
            fields.add(of(schema.fields(i), 0, left));
        }
        return fields;
    }

    private static ArrowField of(Field field, int depth, AtomicInteger left) {
        if (depth > MAX_DEPTH || left.decrementAndGet() < 0) {
            throw new IllegalArgumentException("too many nested fields");
        }
        List<ArrowField> children = new ArrayList<>();
        for (int i = 0; i < field.childrenLength(); i++) {
            children.add(of(field.children(i), depth + 1, left));
        }
        String name = field.name() == null ? "" : field.name();
        int listSize =
                field.typeType() == Type.FixedSizeList && field.type(new FixedSizeList()) instanceof FixedSizeList list
                        ? list.listSize()
                        : 0;
        return new ArrowField(
                name, field.typeType(), field.dictionary() != null, number(field), listSize, List.copyOf(children));
    }

    private static DType number(Field field) {
        if (field.typeType() == Type.Int && field.type(new Int()) instanceof Int type) {
            return switch (type.bitWidth()) {
                case 8 -> type.isSigned() ? DType.INT8 : DType.UINT8;
                case 16 -> type.isSigned() ? DType.INT16 : DType.UINT16;
                case 32 -> type.isSigned() ? DType.INT32 : DType.UINT32;
                case 64 -> type.isSigned() ? DType.INT64 : DType.UINT64;
                default -> throw new IllegalArgumentException("integers of " + type.bitWidth() + " bits");
            };
        } else if (field.typeType() == Type.FloatingPoint
                && field.type(new FloatingPoint()) instanceof FloatingPoint type) {
            return switch (type.precision()) {
                case Precision.HALF -> DType.FLOAT16;
                case Precision.SINGLE -> DType.FLOAT32;
                default -> DType.FLOAT64;
            };
        }
        return DType.BINARY;
    }

    boolean isNumber() {
        return !isDictionary && number != DType.BINARY;
    }

    /** Whether values are text or bytes with offsets. */
    boolean isBytes() {
        return !isDictionary
                && (type == Type.Utf8 || type == Type.LargeUtf8 || type == Type.Binary || type == Type.LargeBinary);
    }

    boolean isText() {
        return type == Type.Utf8 || type == Type.LargeUtf8;
    }

    /** Whether offsets have 64 bits. */
    boolean isLarge() {
        return type == Type.LargeUtf8 || type == Type.LargeBinary || type == Type.LargeList;
    }

    /** Whether this type, and those of its children, have a known number of buffers, so that the fields after it can be read. */
    boolean isKnown() {
        return isDictionary || (BUFFERS.containsKey(type) && children.stream().allMatch(ArrowField::isKnown));
    }

    /** Takes the nodes and buffers of this field. */
    void skip(ArrowBuffers buffers) {
        buffers.node();
        // Of a dictionary, a record batch has the indices alone.
        int count = isDictionary ? 2 : BUFFERS.getOrDefault(type, 0);
        for (int i = 0; i < count; i++) {
            buffers.range();
        }
        if (!isDictionary) {
            children.forEach(child -> child.skip(buffers));
        }
    }

    @Override
    public String toString() {
        if (isDictionary) {
            return "dictionary";
        }
        return BUFFERS.containsKey(type) ? Type.name(type).toLowerCase(Locale.ROOT) : "number " + type;
    }
}
