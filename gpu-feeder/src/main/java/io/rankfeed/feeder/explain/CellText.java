package io.rankfeed.feeder.explain;

import io.rankfeed.feeder.cache.LaneCache;
import io.rankfeed.feeder.cache.MappedColumn;
import io.rankfeed.feeder.cache.References;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.cache.CacheColumn;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Formats the values of one column of a cache: numbers and strings as they are, other values as their size. */
record CellText(Field field, MappedColumn values, Optional<References> references, Optional<MappedColumn> valid) {
    private static final int MAX_BYTES = 200;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /** @throws ConfigException if the column is unknown */
    static CellText of(SampleSchema schema, LaneCache cache, String name) {
        Field field = schema.fields().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ConfigException(
                        "--columns: unknown column '" + name + "'" + Suggestion.hint(name, schema.names())));
        return new CellText(
                field,
                cache.column(name),
                Optional.ofNullable(cache.references(name, field.kind() == Field.Kind.FIXED ? field.strideBytes() : 0)),
                field.nullable() ? Optional.of(cache.column(name + CacheColumn.VALID_SUFFIX)) : Optional.empty());
    }

    String at(int block, int row) {
        if (valid.isPresent()
                && valid.get()
                                .file(block)
                                .get(ValueLayout.JAVA_BYTE, valid.get().values(block) + row)
                        == 0) {
            return "-";
        }
        if (field.kind() == Field.Kind.FIXED) {
            return field.shape().rank() == 0
                    ? element(block, row)
                    : field.dtype().id() + field.shape();
        }
        if (references.isPresent() && references.get().isIn(block)) {
            return referenced(references.get(), block, row);
        }
        long from = values.offset(block, row);
        long length = values.offset(block, row + 1) - from;
        if (field.kind() == Field.Kind.LIST) {
            return length + " x " + field.dtype().id();
        }
        if (from < 0 || length < 0 || from + length > values.valuesBytes(block)) {
            return "damaged";
        }
        return field.dtype() == DType.STRING
                ? text(values.file(block), values.values(block) + from, length)
                : size(length);
    }

    private String referenced(References of, int block, int row) {
        long length = of.lengthBytes(block, row);
        return field.dtype() == DType.STRING
                ? text(of.bytes(block, row), of.position(block, row), length)
                : size(length / field.dtype().sizeBytes());
    }

    private String size(long length) {
        return length
                + (field.kind() == Field.Kind.BYTES
                        ? " bytes"
                        : " x " + field.dtype().id());
    }

    private static String text(MemorySegment file, long at, long length) {
        byte[] text = new byte[(int) Math.min(length, MAX_BYTES)];
        MemorySegment.copy(file, ValueLayout.JAVA_BYTE, at, text, 0, text.length);
        String shown = new String(text, StandardCharsets.UTF_8).replaceAll("[\\t\\r\\n]", " ");
        return length > MAX_BYTES ? shown + "…" : shown;
    }

    /** The items of a list of numbers or strings; none where the offsets are damaged. */
    List<String> items(int block, int row) {
        int from = values.offset(block, row);
        int to = values.offset(block, row + 1);
        long max = field.kind() == Field.Kind.LIST
                ? values.itemCount(block)
                : values.valuesBytes(block) / field.dtype().sizeBytes();
        List<String> items = new ArrayList<>();
        for (int item = from; 0 <= from && to <= max && item < to; item++) {
            items.add(field.kind() == Field.Kind.LIST ? text(block, item) : element(block, item));
        }
        return items;
    }

    private String text(int block, int item) {
        int from = values.itemOffset(block, item);
        int to = values.itemOffset(block, item + 1);
        if (from < 0 || from > to || to > values.valuesBytes(block)) {
            return "damaged";
        }
        byte[] text = new byte[Math.min(to - from, MAX_BYTES)];
        MemorySegment.copy(
                values.file(block), ValueLayout.JAVA_BYTE, values.values(block) + from, text, 0, text.length);
        return new String(text, StandardCharsets.UTF_8).replaceAll("[\\t\\r\\n]", " ");
    }

    private String element(int block, long number) {
        MemorySegment file = values.file(block);
        long at = values.values(block) + number * field.dtype().sizeBytes();
        return switch (field.dtype()) {
            case BOOL -> Boolean.toString(file.get(ValueLayout.JAVA_BYTE, at) != 0);
            case INT8 -> Byte.toString(file.get(ValueLayout.JAVA_BYTE, at));
            case UINT8 -> Integer.toString(Byte.toUnsignedInt(file.get(ValueLayout.JAVA_BYTE, at)));
            case INT16 -> Short.toString(file.get(SHORT, at));
            case UINT16 -> Integer.toString(Short.toUnsignedInt(file.get(SHORT, at)));
            case INT32 -> Integer.toString(file.get(INT, at));
            case UINT32 -> Integer.toUnsignedString(file.get(INT, at));
            case INT64 -> Long.toString(file.get(LONG, at));
            case UINT64 -> Long.toUnsignedString(file.get(LONG, at));
            case FLOAT16 -> Float.toString(Float.float16ToFloat(file.get(SHORT, at)));
            case BFLOAT16 -> Float.toString(Float.intBitsToFloat(file.get(SHORT, at) << 16));
            case FLOAT32 -> Float.toString(Float.intBitsToFloat(file.get(INT, at)));
            case FLOAT64 -> Double.toString(Double.longBitsToDouble(file.get(LONG, at)));
            case STRING, BINARY -> throw new IllegalStateException(field.name() + " has no fixed width");
        };
    }
}
