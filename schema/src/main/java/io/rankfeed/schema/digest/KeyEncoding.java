package io.rankfeed.schema.digest;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The written encoding of a row's typed key columns, and the row id that follows from it. Columns are appended in the
 * order of the job's {@code key}; one object serves many rows, {@link #clear} between them. Integers are little-endian:
 *
 * <pre>
 *   integer (8 to 64 bits)  0x01  i64
 *   string                  0x02  u32 length in bytes, UTF-8
 *   binary                  0x03  u32 length in bytes, bytes
 *   boolean                 0x04  u8 0 or 1
 *   null                    0x00  in no key, but in what rf_hash is given
 * </pre>
 *
 * The row id is xxh64 (seed 0) of the encoding. Keys are ordered as unsigned bytes, lexicographically.
 */
public final class KeyEncoding {
    private ByteBuffer bytes = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);

    /** Removes all values, so that the object can encode another key. */
    public KeyEncoding clear() {
        bytes.clear();
        return this;
    }

    /** Appends an integer: the tag 1, then 8 bytes, little-endian. */
    public KeyEncoding integer(long value) {
        room(9).put((byte) 0x01).putLong(value);
        return this;
    }

    /** @throws CorruptDataException if the text holds half of a surrogate pair, which has no UTF-8 */
    public KeyEncoding string(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        // getBytes writes '?' for half a pair: two keys would then be one.
        if (contains(utf8, (byte) '?') && !new String(utf8, StandardCharsets.UTF_8).equals(value)) {
            throw new CorruptDataException("key '" + value + "'", "is not valid Unicode text (half a surrogate pair)");
        }
        return utf8(utf8, 0, utf8.length);
    }

    /** A string given as UTF-8, taken as it is. */
    public KeyEncoding utf8(byte[] utf8, int offset, int lengthBytes) {
        return prefixed(0x02, utf8, offset, lengthBytes);
    }

    /** Appends binary: the tag 3, the length in 4 bytes, then the bytes. */
    public KeyEncoding binary(byte[] value) {
        return prefixed(0x03, value, 0, value.length);
    }

    /** Appends a boolean: the tag 4, then a byte, 0 or 1. */
    public KeyEncoding bool(boolean value) {
        room(2).put((byte) 0x04).put((byte) (value ? 1 : 0));
        return this;
    }

    /** A null, which no key has. */
    public KeyEncoding missing() {
        room(1).put((byte) 0x00);
        return this;
    }

    /**
     * A row of a source without a key.
     *
     * @param sourceFile {@code <source name>/<path under the source's root>}
     * @param rowIndex its index in that file
     */
    public KeyEncoding address(String sourceFile, long rowIndex) {
        return string(sourceFile).integer(rowIndex);
    }

    /** Appends columns that are encoded already, as {@link #toBytes} returns them. */
    public KeyEncoding encoded(byte[] columns) {
        room(columns.length).put(columns);
        return this;
    }

    /**
     * A column's value by its Java type: Byte, Short, Integer, Long, String, byte[], Boolean.
     *
     * @throws CorruptDataException if it is null
     * @throws ConfigException if its type can be no key (floating point compares as equal what differs, decimals and
     *     timestamps have more than one encoding)
     */
    public KeyEncoding value(String column, @Nullable Object value) {
        if (value == null) {
            throw new CorruptDataException(
                    "key column '" + column + "'", "is null in a row; filter such rows with where");
        } else if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            return integer(((Number) value).longValue());
        } else if (value instanceof String text) {
            return string(text);
        } else if (value instanceof byte[] binary) {
            return binary(binary);
        } else if (value instanceof Boolean bool) {
            return bool(bool);
        }
        throw new ConfigException("key column '" + column + "' is a "
                + value.getClass().getSimpleName()
                + "; a key is an integer, string, binary or boolean: cast it in the job's SQL");
    }

    /** Returns a copy of the encoding. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /** The row id: xxh64 of the encoding, seed 0. */
    public long rowId() {
        return hash(0);
    }

    /** xxh64 of the encoding. */
    public long hash(long seed) {
        return Xxh64.hash(bytes.array(), 0, bytes.position(), seed);
    }

    private KeyEncoding prefixed(int tag, byte[] value, int offset, int lengthBytes) {
        room(5 + lengthBytes).put((byte) tag).putInt(lengthBytes).put(value, offset, lengthBytes);
        return this;
    }

    private ByteBuffer room(int wanted) {
        if (bytes.remaining() < wanted) {
            int needed = Math.addExact(bytes.position(), wanted);
            int size = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * bytes.capacity()));
            bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), size))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .position(bytes.position());
        }
        return bytes;
    }

    private static boolean contains(byte[] bytes, byte wanted) {
        for (byte b : bytes) {
            if (b == wanted) {
                return true;
            }
        }
        return false;
    }
}
