package io.rankfeed.export.format.store;

import io.rankfeed.export.format.ByteBuilder;
import io.rankfeed.export.format.FormatRow;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.PackedList;
import io.rankfeed.schema.Shape;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The values of one column in the batch that is being filled, kept from batch to batch. Unlike lanes, a missing value is
 * null, a bool is one bit, and each dimension of a tensor is a list.
 */
final class ArrowColumn {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final int index;
    private final Field field;
    private final Field.Kind kind;
    private final int strideBytes;
    private final ByteBuilder data = new ByteBuilder();
    private final ByteBuilder offsets = new ByteBuilder();
    private final ByteBuilder itemOffsets = new ByteBuilder();
    private byte[] valid = new byte[128];
    private int rows;
    private int nulls;
    /** Steps along the first dimension, bytes, or items so far: the last of the offsets. */
    private int length;
    /** Bytes of the items so far: the last of the item offsets. */
    private int itemBytes;

    ArrowColumn(int index, Field field) {
        this.index = index;
        this.field = field;
        this.kind = field.kind();
        this.strideBytes = field.strideBytes();
        clear();
    }

    void clear() {
        data.clear();
        offsets.clear();
        offsets.putInt(0);
        itemOffsets.clear();
        itemOffsets.putInt(0);
        Arrays.fill(valid, (byte) 0);
        rows = 0;
        nulls = 0;
        length = 0;
        itemBytes = 0;
    }

    /** At most the bytes of a value with its offset and validity. */
    long rowBytes(FormatRow row) {
        boolean isFixed = kind == Field.Kind.FIXED;
        return 1L + (isFixed ? strideBytes : Integer.BYTES + (long) row.lengthBytes(index));
    }

    void append(FormatRow row) {
        boolean missing = row.isMissing(index);
        if (kind == Field.Kind.FIXED) {
            if (missing) {
                data.putZeros(strideBytes);
            } else {
                row.appendTo(data, index);
            }
        } else {
            if (missing) {
                // The value of a null is empty.
            } else if (kind == Field.Kind.LIST) {
                appendItems(row.list(index));
            } else {
                row.appendTo(data, index);
                length += row.lengthBytes(index) / strideBytes;
            }
            offsets.putInt(length);
        }
        if (rows == valid.length * Byte.SIZE) {
            valid = Arrays.copyOf(valid, 2 * valid.length);
        }
        if (missing) {
            nulls++;
        } else {
            valid[rows >> 3] |= (byte) (1 << (rows & 7));
        }
        rows++;
    }

    private void appendItems(PackedList list) {
        data.put(list.array(), list.valuesOffset(), list.valuesBytes());
        for (int item = 0; item < list.count(); item++) {
            itemBytes += list.itemLength(item);
            itemOffsets.putInt(itemBytes);
        }
        length += list.count();
    }

    /**
     * The Arrow nodes and buffers, in Arrow's order.
     *
     * @param nodes gets {length, nulls} of every node
     * @param buffers gets every buffer, which begins at index 0 of its array
     */
    void listParts(List<long[]> nodes, List<ByteBuffer> buffers) {
        nodes.add(new long[] {rows, nulls});
        buffers.add(nulls == 0 ? NONE : ByteBuffer.wrap(valid, 0, (rows + 7) / 8));
        if (kind == Field.Kind.BYTES || kind == Field.Kind.LIST) {
            buffers.add(buffer(offsets));
            if (kind == Field.Kind.LIST) {
                nodes.add(new long[] {length, 0});
                buffers.add(NONE);
                buffers.add(buffer(itemOffsets));
            }
        }
        long items = rows;
        for (int dim :
                field.dtype().isBytes() ? List.<Integer>of() : field.shape().dims()) {
            if (dim == Shape.VARIABLE) {
                buffers.add(buffer(offsets));
                items = length;
            } else {
                items *= dim;
            }
            nodes.add(new long[] {items, 0});
            buffers.add(NONE);
        }
        buffers.add(field.dtype() == DType.BOOL ? bits() : buffer(data));
    }

    private ByteBuffer bits() {
        byte[] packed = new byte[(data.size() + 7) / 8];
        for (int i = 0; i < data.size(); i++) {
            if (data.array()[i] != 0) {
                packed[i >> 3] |= (byte) (1 << (i & 7));
            }
        }
        return ByteBuffer.wrap(packed);
    }

    private static ByteBuffer buffer(ByteBuilder bytes) {
        return ByteBuffer.wrap(bytes.array(), 0, bytes.size());
    }
}
