package io.rankfeed.export.format.store;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.export.format.NumpyType;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.HalfFloats;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import java.util.List;

/**
 * A row as MessagePack: a map of its columns. A tensor is the map of the package {@code msgpack-numpy}, which restores the
 * array: {@code nd}, {@code type}, {@code kind}, {@code shape}, {@code data}, with keys that are binary.
 */
final class LmdbValue {
    private static final byte[] ND = {'n', 'd'};
    private static final byte[] TYPE = {'t', 'y', 'p', 'e'};
    private static final byte[] KIND = {'k', 'i', 'n', 'd'};
    private static final byte[] SHAPE = {'s', 'h', 'a', 'p', 'e'};
    private static final byte[] DATA = {'d', 'a', 't', 'a'};

    private final List<Field> fields;
    /** The bytes of each column's name. */
    private final byte[][] names;
    /** What precedes the shape of a tensor, by column. */
    private final byte[][] tensorHeads;

    private final ByteBuilder bytes = new ByteBuilder();
    private final MessagePack pack = new MessagePack(bytes);

    LmdbValue(SampleSchema schema) {
        fields = schema.fields();
        names = new byte[fields.size()][];
        tensorHeads = new byte[fields.size()][];
        for (int field = 0; field < names.length; field++) {
            ByteBuilder name = new ByteBuilder();
            new MessagePack(name).string(fields.get(field).name());
            names[field] = name.toByteArray();
            tensorHeads[field] = fields.get(field).dtype().isBytes()
                    ? new byte[0]
                    : tensorHead(fields.get(field).dtype());
        }
    }

    /** Encodes a row. The result is valid until the next call. */
    ByteBuilder of(FormatRow row) {
        bytes.clear();
        pack.map(fields.size());
        for (int field = 0; field < names.length; field++) {
            bytes.put(names[field]);
            if (row.isMissing(field)) {
                pack.nil();
            } else {
                append(row, field);
            }
        }
        return bytes;
    }

    private void append(FormatRow row, int field) {
        Field declared = fields.get(field);
        boolean text = declared.dtype() == DType.STRING;
        switch (declared.kind()) {
            case BYTES -> bytes(text, row.array(field), row.offset(field), row.lengthBytes(field));
            case LIST -> {
                PackedList list = row.list(field);
                pack.array(list.count());
                int at = list.valuesOffset();
                for (int item = 0; item < list.count(); item++) {
                    bytes(text, list.array(), at, list.itemLength(item));
                    at += list.itemLength(item);
                }
            }
            case FIXED, RAGGED -> {
                if (declared.shape().rank() == 0) {
                    number(declared.dtype(), row.bits(field));
                } else {
                    tensor(declared, row, field);
                }
            }
        }
    }

    private void bytes(boolean text, byte[] array, int offset, int lengthBytes) {
        if (text) {
            pack.string(array, offset, lengthBytes);
        } else {
            pack.binary(array, offset, lengthBytes);
        }
    }

    /** 16-bit floats become float32, which holds each of them. */
    private void number(DType dtype, long bits) {
        switch (dtype) {
            case BOOL -> pack.bool((bits & 0xFF) != 0);
            case INT8, INT16, INT32, INT64 -> pack.int64(LittleEndian.integer(dtype, bits));
            case UINT8, UINT16, UINT32, UINT64 -> pack.uint64(LittleEndian.integer(dtype, bits));
            case FLOAT16 -> pack.float32(Float.floatToRawIntBits(HalfFloats.fromFloat16((short) bits)));
            case BFLOAT16 -> pack.float32((int) bits << Short.SIZE);
            case FLOAT32 -> pack.float32((int) bits);
            case FLOAT64 -> pack.float64(bits);
            case STRING, BINARY -> throw new IllegalArgumentException(dtype + " is not a number");
        }
    }

    private static byte[] tensorHead(DType dtype) {
        ByteBuilder head = new ByteBuilder();
        MessagePack pack = new MessagePack(head);
        pack.map(5);
        pack.binary(ND, 0, ND.length);
        pack.bool(true);
        pack.binary(TYPE, 0, TYPE.length);
        pack.string(NumpyType.of(dtype));
        pack.binary(KIND, 0, KIND.length);
        pack.binary(KIND, 0, 0);
        pack.binary(SHAPE, 0, SHAPE.length);
        return head.toByteArray();
    }

    private void tensor(Field declared, FormatRow row, int field) {
        bytes.put(tensorHeads[field]);
        List<Integer> dims = declared.shape().dims();
        pack.array(dims.size());
        for (int i = 0; i < dims.size(); i++) {
            int dim = dims.get(i);
            pack.uint64(dim == Shape.VARIABLE ? row.lengthBytes(field) / declared.strideBytes() : dim);
        }
        pack.binary(DATA, 0, DATA.length);
        pack.binary(row.array(field), row.offset(field), row.lengthBytes(field));
    }
}
