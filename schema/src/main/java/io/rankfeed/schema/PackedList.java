package io.rankfeed.schema;

import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A list of strings or binary as one value: the number of items and the length of each in bytes as little-endian int32,
 * then the items back to back. What prepared tables and rows between jobs have (docs/format/cache.md, section 2).
 */
public final class PackedList {
    private static final int INT_BYTES = 4;

    private final byte[] packed;
    private final int offset;
    private final ByteBuffer head;
    private final int count;
    private final int valuesAt;

    /** @throws CorruptDataException if these bytes are no such list */
    public PackedList(byte[] packed, int offset, int lengthBytes) {
        this.packed = packed;
        this.offset = offset;
        head = ByteBuffer.wrap(packed, offset, lengthBytes).slice().order(ByteOrder.LITTLE_ENDIAN);
        count = lengthBytes < INT_BYTES ? -1 : head.getInt(0);
        long valuesAt = INT_BYTES * (count + 1L);
        long end = valuesAt;
        for (int i = 0; i < count && end <= lengthBytes && valuesAt <= lengthBytes; i++) {
            end = itemLength(i) < 0 ? Long.MAX_VALUE : end + itemLength(i);
        }
        if (count < 0 || end != lengthBytes) {
            throw new CorruptDataException(
                    "a list of " + count + " items", lengthBytes + " bytes are not its lengths and items");
        }
        this.valuesAt = (int) valuesAt;
    }

    /** @throws ArithmeticException if the list would pass 2 GiB */
    public static byte[] of(List<byte[]> items) {
        long lengthBytes = INT_BYTES * (items.size() + 1L);
        for (byte[] item : items) {
            lengthBytes += item.length;
        }
        if (lengthBytes > Integer.MAX_VALUE - 8) {
            throw new ArithmeticException("a list of " + lengthBytes + " bytes");
        }
        ByteBuffer packed = ByteBuffer.allocate((int) lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
        packed.putInt(items.size());
        items.forEach(item -> packed.putInt(item.length));
        items.forEach(packed::put);
        return packed.array();
    }

    /** Number of items. */
    public int count() {
        return count;
    }

    /** Bytes of an item. */
    public int itemLength(int item) {
        return head.getInt(INT_BYTES * (item + 1));
    }

    /** The array that has the items, from {@link #valuesOffset} on. */
    public byte[] array() {
        return packed;
    }

    public int valuesOffset() {
        return offset + valuesAt;
    }

    /** Bytes of all items together. */
    public int valuesBytes() {
        return head.capacity() - valuesAt;
    }
}
