package io.rankfeed.spark.source.format.arrow;

import static io.rankfeed.spark.source.format.arrow.BatchParts.require;

import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.Utf8;
import io.rankfeed.spark.source.format.arrow.ArrowField.Dictionary;
import io.rankfeed.spark.source.format.arrow.ArrowField.FixedValue;
import io.rankfeed.spark.source.format.arrow.ArrowField.Layout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** Reads the columns of one batch in their order. What it throws is an {@link IllegalArgumentException} if the batch is damaged. */
final class ColumnReader {
    /** The maximum number of values without bytes, so that a corrupted length does not allocate memory. */
    private static final int MAX_WITHOUT_BYTES = 1 << 24;

    private final BatchParts parts;
    /** The values of each dictionary, by its number. */
    private final Map<Long, List<@Nullable Object>> dictionaries;

    private int node;
    private int buffer;
    private int view;

    ColumnReader(BatchParts parts, Map<Long, List<@Nullable Object>> dictionaries) {
        this.parts = parts;
        this.dictionaries = dictionaries;
    }

    void skip(ArrowField field) {
        field.stored().forEach(stored -> {
            node++;
            buffer += stored.layout().buffers + (stored.layout() == Layout.VIEW ? parts.further(view++) : 0);
        });
    }

    ArrowColumn read(ArrowField field) {
        Dictionary dictionary = field.dictionary();
        return dictionary == null ? plain(field) : encoded(plain(dictionary.index()), dictionary.id());
    }

    private ArrowColumn encoded(ArrowColumn indices, long id) {
        List<@Nullable Object> values = dictionaries.getOrDefault(id, List.of());
        return new ArrowColumn(indices.length(), indices.validity(), row -> {
            // An index beyond the range of long is a BigDecimal, and out of range here too.
            long index = ((Number) Objects.requireNonNull(indices.values().at(row))).longValue();
            if (index < 0 || index >= values.size()) {
                throw BadValue.damaged("index " + index + " of a dictionary of " + values.size() + " values");
            }
            return values.get((int) index);
        });
    }

    private ArrowColumn plain(ArrowField field) {
        FieldNode counts = parts.node(node++);
        int length = (int) counts.length();
        ByteBuffer validity =
                field.layout() == Layout.NULL ? null : validity(length, counts.nullCount(), parts.buffer(buffer++));
        return new ArrowColumn(
                length,
                validity,
                switch (field.layout()) {
                    case NULL -> {
                        requireFew(length);
                        yield row -> null;
                    }
                    case FIXED -> fixed(field, length);
                    case VARIABLE, LARGE_VARIABLE -> variable(field, length);
                    case LIST, LARGE_LIST -> list(field, length);
                    case FIXED_LIST -> fixedList(field, length);
                    case STRUCT -> struct(field, length);
                    default -> throw new IllegalStateException("column of " + field.words());
                });
    }

    private static @Nullable ByteBuffer validity(int length, long nullCount, ByteBuffer bits) {
        if (!bits.hasRemaining()) {
            require(nullCount == 0, nullCount + " nulls without a validity buffer");
            return null;
        }
        require(bits.remaining() >= (length + 7L) / 8, "a validity buffer is too short");
        int valid = 0;
        for (int i = 0; i < length / 8; i++) {
            valid += Integer.bitCount(bits.get(i) & 0xff);
        }
        if (length % 8 > 0) {
            valid += Integer.bitCount(bits.get(length / 8) & (1 << length % 8) - 1);
        }
        require(length - valid == nullCount, (length - valid) + " nulls, but " + nullCount + " are stated");
        return nullCount == 0 ? null : bits;
    }

    private ArrowColumn.Values fixed(ArrowField field, int length) {
        FixedValue value = Objects.requireNonNull(field.value());
        ByteBuffer data = parts.buffer(buffer++);
        require(data.remaining() >= ((long) length * field.width() + 7) / 8, "a buffer of values is too short");
        if (field.width() == 0) {
            requireFew(length);
        }
        return row -> value.at(data, row);
    }

    private ArrowColumn.Values variable(ArrowField field, int length) {
        IntUnaryOperator offsets = offsets(field.layout() == Layout.LARGE_VARIABLE, length);
        ByteBuffer data = parts.buffer(buffer++);
        require(offsets.applyAsInt(length) <= data.remaining(), "an offset is not in the buffer of values");
        boolean isText = field.spark() instanceof StringType;
        return row -> {
            int from = offsets.applyAsInt(row);
            int size = offsets.applyAsInt(row + 1) - from;
            if (isText) {
                return Utf8.text(data.array(), data.arrayOffset() + from, size);
            }
            byte[] bytes = new byte[size];
            data.get(from, bytes);
            return bytes;
        };
    }

    /** Offsets that ascend from one that is not negative. */
    private IntUnaryOperator offsets(boolean areLong, int length) {
        ByteBuffer data = parts.buffer(buffer++);
        if (length == 0 && !data.hasRemaining()) {
            return row -> 0;
        }
        require(data.remaining() >= (length + 1L) * (areLong ? 8 : 4), "a buffer of offsets is too short");
        long before = 0;
        for (int i = 0; i <= length; i++) {
            long offset = areLong ? data.getLong(8 * i) : data.getInt(4 * i);
            require(before <= offset && offset <= Integer.MAX_VALUE, "offset " + offset + " after " + before);
            before = offset;
        }
        return areLong ? row -> (int) data.getLong(8 * row) : row -> data.getInt(4 * row);
    }

    private ArrowColumn.Values list(ArrowField field, int length) {
        IntUnaryOperator offsets = offsets(field.layout() == Layout.LARGE_LIST, length);
        ArrowField item = field.children().get(0);
        if (field.spark() instanceof MapType) {
            return map(item, offsets, length);
        }
        ArrowColumn items = read(item);
        require(offsets.applyAsInt(length) <= items.length(), "an offset is not in the list's items");
        return row -> items(items, offsets.applyAsInt(row), offsets.applyAsInt(row + 1));
    }

    private ArrowColumn.Values fixedList(ArrowField field, int length) {
        int size = field.width();
        ArrowColumn items = read(field.children().get(0));
        require(items.length() >= (long) length * size, "fewer items than the lists have");
        if (size == 0) {
            requireFew(length);
        }
        return row -> items(items, row * size, (row + 1) * size);
    }

    private static @Nullable Object[] items(ArrowColumn items, int from, int to) {
        @Nullable Object[] values = new Object[to - from];
        for (int i = 0; i < values.length; i++) {
            values[i] = items.at(from + i);
        }
        return values;
    }

    private ArrowColumn.Values map(ArrowField entry, IntUnaryOperator offsets, int length) {
        FieldNode counts = parts.node(node++);
        require(counts.nullCount() == 0, "a map has null instead of an entry");
        buffer++;
        ArrowColumn keys = read(entry.children().get(0));
        ArrowColumn values = read(entry.children().get(1));
        require(offsets.applyAsInt(length) <= Math.min(keys.length(), values.length()), "an offset is not in a map");
        return row -> {
            Map<Object, @Nullable Object> map = new LinkedHashMap<>();
            int to = offsets.applyAsInt(row + 1);
            for (int i = offsets.applyAsInt(row); i < to; i++) {
                Object key = keys.at(i);
                if (key == null || map.containsKey(key)) {
                    throw BadValue.damaged(
                            key == null ? "null is a key of a map" : "duplicate key " + key + " in a map");
                }
                map.put(key, values.at(i));
            }
            // Spark takes maps of Scala alone.
            return CollectionConverters.asScala(map);
        };
    }

    private ArrowColumn.Values struct(ArrowField field, int length) {
        List<ArrowColumn> columns = new ArrayList<>();
        for (ArrowField child : field.children()) {
            columns.add(read(child));
            require(columns.get(columns.size() - 1).length() >= length, "a field of a struct has too few values");
        }
        return row ->
                RowFactory.create(columns.stream().map(column -> column.at(row)).toArray());
    }

    private static void requireFew(int length) {
        require(length <= MAX_WITHOUT_BYTES, length + " values without bytes");
    }
}
