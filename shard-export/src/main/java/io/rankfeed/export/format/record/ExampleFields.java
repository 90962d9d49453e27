package io.rankfeed.export.format.record;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.HalfFloats;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The features of {@code tf.train.Example} in the encoding of Protocol Buffers: a map entry for each field of the sample, in
 * their order. Integers and bool are int64, floats of at most 32 bits are float, float64 and bytes are bytes.
 *
 * <pre>
 *   Features  { 1: entry … }     entry   { 1: name  2: Feature }
 *   Feature   { 1: BytesList | 2: FloatList | 3: Int64List }     lists { 1: packed numbers, or each value }
 * </pre>
 */
final class ExampleFields {
    private static final int BYTES_LIST = 1;
    private static final int FLOAT_LIST = 2;
    private static final int INT64_LIST = 3;
    /** Room for more at once could exceed an array, although the numbers themselves do not. */
    private static final int CHUNK_NUMBERS = 1 << 20;

    private final List<Field> fields;
    /** For each field the member of the entry with its name. */
    private final byte[][] names;
    /** For each field the member of {@code Feature}. */
    private final int[] kinds;

    private final ByteBuilder features = new ByteBuilder();
    private final ByteBuilder values = new ByteBuilder();
    private final ByteBuilder scalar = new ByteBuilder();

    /** @param rawTensors whether tensors are stored as their bytes */
    ExampleFields(SampleSchema schema, boolean rawTensors) {
        fields = schema.fields();
        kinds = fields.stream()
                .mapToInt(field -> rawTensors && field.shape().rank() > 0 ? BYTES_LIST : kind(field.dtype()))
                .toArray();
        names = new byte[fields.size()][];
        for (int field = 0; field < names.length; field++) {
            byte[] name = fields.get(field).name().getBytes(StandardCharsets.US_ASCII);
            ByteBuilder member = new ByteBuilder();
            putHead(1, name.length, member);
            names[field] = member.put(name).toByteArray();
        }
    }

    /** Returns the features of a row, valid until the next call. A missing value has no entry. */
    ByteBuilder of(FormatRow row) {
        features.clear();
        for (int field = 0; field < names.length; field++) {
            if (!row.isMissing(field)) {
                append(row, field);
            }
        }
        return features;
    }

    /** Appends the tag and the length of a member that has bytes. */
    static void putHead(int member, int length, ByteBuilder to) {
        to.put((byte) ((member << 3) | 2)).putVarint(length);
    }

    private void append(FormatRow row, int field) {
        int kind = kinds[field];
        int packed = -1;
        values.clear();
        if (fields.get(field).kind() == Field.Kind.LIST) {
            appendItems(row.list(field));
        } else if (fields.get(field).dtype() == DType.FLOAT32 || kind == BYTES_LIST) {
            // As stored, so the bytes are copied once.
            packed = row.lengthBytes(field);
        } else if (Format.isNumber(fields.get(field))) {
            scalar.clear();
            row.appendTo(scalar, field);
            appendNumbers(fields.get(field).dtype(), scalar.array(), 0, scalar.size());
            packed = values.size();
        } else {
            appendNumbers(fields.get(field).dtype(), row.array(field), row.offset(field), row.lengthBytes(field));
            packed = values.size();
        }
        // Packed numbers may have no bytes; a list of one empty string has a member, though.
        boolean member = packed > 0 || (packed == 0 && kind == BYTES_LIST);
        int list = packed < 0 ? values.size() : member ? headBytes(packed) + packed : 0;
        int feature = headBytes(list) + list;
        putHead(1, names[field].length + headBytes(feature) + feature, features);
        features.put(names[field]);
        putHead(2, feature, features);
        putHead(kind, list, features);
        if (member) {
            putHead(1, packed, features);
        }
        if (packed < 0 || values.size() > 0) {
            features.put(values.array(), 0, values.size());
        } else {
            row.appendTo(features, field);
        }
    }

    private void appendItems(PackedList list) {
        int at = list.valuesOffset();
        for (int item = 0; item < list.count(); item++) {
            putHead(1, list.itemLength(item), values);
            values.put(list.array(), at, list.itemLength(item));
            at += list.itemLength(item);
        }
    }

    /** Appends little-endian numbers: floats as float32, integers as varints of their sign-extended value. */
    private void appendNumbers(DType type, byte[] array, int offset, int length) {
        int width = type.sizeBytes();
        int chunk = CHUNK_NUMBERS * width;
        for (int at = 0; at < length; at += chunk) {
            appendChunk(type, array, offset + at, Math.min(chunk, length - at));
        }
    }

    private void appendChunk(DType type, byte[] array, int offset, int length) {
        int width = type.sizeBytes();
        int next = values.size();
        byte[] to = values.reserve(length / width * ByteBuilder.MAX_VARINT_BYTES);
        int end = offset + length;
        if (type == DType.FLOAT16 || type == DType.BFLOAT16) {
            for (int at = offset; at < end; at += width) {
                short bits = ByteBuilder.getShort(array, at);
                float value = type == DType.FLOAT16 ? HalfFloats.fromFloat16(bits) : HalfFloats.fromBfloat16(bits);
                next = ByteBuilder.setInt(to, next, Float.floatToRawIntBits(value));
            }
        } else {
            next = setVarints(type, array, offset, end, to, next);
        }
        values.endAt(next);
    }

    /** A loop for each width: with one for all, a row of tokens takes twice as long. */
    private static int setVarints(DType type, byte[] array, int offset, int end, byte[] to, int start) {
        boolean signed = type == DType.INT8 || type == DType.INT16 || type == DType.INT32;
        long mask = signed ? -1 : -1L >>> (Long.SIZE - Byte.SIZE * type.sizeBytes());
        int next = start;
        switch (type.sizeBytes()) {
            case Byte.BYTES -> {
                for (int at = offset; at < end; at++) {
                    next = ByteBuilder.setVarint(to, next, array[at] & mask);
                }
            }
            case Short.BYTES -> {
                for (int at = offset; at < end; at += Short.BYTES) {
                    next = ByteBuilder.setVarint(to, next, ByteBuilder.getShort(array, at) & mask);
                }
            }
            case Integer.BYTES -> {
                for (int at = offset; at < end; at += Integer.BYTES) {
                    next = ByteBuilder.setVarint(to, next, ByteBuilder.getInt(array, at) & mask);
                }
            }
            default -> {
                for (int at = offset; at < end; at += Long.BYTES) {
                    next = ByteBuilder.setVarint(to, next, ByteBuilder.getLong(array, at));
                }
            }
        }
        return next;
    }

    private static int headBytes(int length) {
        return 1 + (Integer.SIZE - Integer.numberOfLeadingZeros(length | 1) + 6) / 7;
    }

    private static int kind(DType type) {
        return switch (type) {
            case FLOAT64, STRING, BINARY -> BYTES_LIST;
            case FLOAT16, BFLOAT16, FLOAT32 -> FLOAT_LIST;
            default -> INT64_LIST;
        };
    }
}
