package io.rankfeed.export.format.record;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.JsonText;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A column of an MDS shard.
 *
 * @param encoding the library's name of the encoding
 * @param sizeBytes size of each value, or -1
 * @param field index of the field that has the values
 * @param valid whether the value is 1 where the field has a value, otherwise 0
 */
record MdsColumn(String name, String encoding, int sizeBytes, int field, Field source, boolean valid) {
    /** The library's order of columns, by name. */
    static List<MdsColumn> of(SampleSchema schema) {
        List<MdsColumn> columns = new ArrayList<>();
        for (int at = 0; at < schema.fields().size(); at++) {
            Field field = schema.fields().get(at);
            columns.add(new MdsColumn(field.name(), encoding(field), size(field), at, field, false));
            if (field.nullable()) {
                columns.add(new MdsColumn(field.name() + ".valid", "uint8", 1, at, field, true));
            }
        }
        columns.sort(Comparator.comparing(MdsColumn::name));
        return columns;
    }

    /** Appends the value of a row. */
    void append(FormatRow row, ByteBuilder to) {
        if (valid) {
            to.put((byte) (row.isMissing(field) ? 0 : 1));
            return;
        }
        switch (source.kind()) {
            case FIXED -> {
                if (row.isMissing(field)) {
                    to.putZeros(sizeBytes);
                } else {
                    row.appendTo(to, field);
                }
            }
            case RAGGED -> appendArray(row, to);
            case BYTES -> row.appendTo(to, field);
            case LIST -> JsonText.append(row, field, to);
        }
    }

    /** The number of dimensions and the bytes of each, the dimensions, the elements. */
    private void appendArray(FormatRow row, ByteBuilder to) {
        List<Integer> dims = source.shape().dims();
        int first = row.lengthBytes(field) / source.strideBytes();
        int largest = first;
        for (int dim : dims.subList(1, dims.size())) {
            largest = Math.max(largest, dim);
        }
        int widthLog = largest < 1 << Byte.SIZE ? 0 : largest < 1 << Short.SIZE ? 1 : 2;
        to.put((byte) ((dims.size() << 2) | widthLog));
        for (int dim : dims) {
            to.putBits(dim == Shape.VARIABLE ? first : dim, 1 << widthLog);
        }
        row.appendTo(to, field);
    }

    private static String encoding(Field field) {
        return switch (field.kind()) {
            case FIXED -> Format.isNumber(field) ? element(field.dtype()) : array(field);
            case RAGGED -> "ndarray:" + element(field.dtype());
            case BYTES -> field.dtype() == DType.STRING ? "str" : "bytes";
            case LIST -> {
                if (field.dtype() == DType.BINARY) {
                    throw Format.unsupported(
                            "mds", field, "lists are stored as JSON, which has no binary; use tfrecord or lmdb");
                }
                yield "json";
            }
        };
    }

    private static String array(Field field) {
        return "ndarray:" + element(field.dtype()) + ":"
                + field.shape().dims().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** The library has neither bool nor bfloat16: 0 and 1, and the bits. */
    private static String element(DType type) {
        return switch (type) {
            case BOOL -> "uint8";
            case BFLOAT16 -> "uint16";
            default -> type.id();
        };
    }

    private static int size(Field field) {
        return field.kind() == Field.Kind.FIXED ? field.strideBytes() : -1;
    }
}
