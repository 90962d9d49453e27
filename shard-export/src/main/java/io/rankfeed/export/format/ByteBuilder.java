package io.rankfeed.export.format;

import io.rankfeed.schema.failure.ConfigException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing array of little-endian values, kept from row to row. */
public final class ByteBuilder {
    /** Maximum bytes of a base-128 number. */
    public static final int MAX_VARINT_BYTES = 10;

    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] array = new byte[1024];
    private int size;

    /** The array that has the bytes, from index 0. It is replaced when it grows. */
    public byte[] array() {
        return array;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(array, size);
    }

    public ByteBuilder put(byte value) {
        int at = grow(1);
        array[at] = value;
        return this;
    }

    public ByteBuilder putShort(short value) {
        int at = grow(Short.BYTES);
        SHORT.set(array, at, value);
        return this;
    }

    public ByteBuilder putInt(int value) {
        int at = grow(Integer.BYTES);
        INT.set(array, at, value);
        return this;
    }

    public ByteBuilder putLong(long value) {
        int at = grow(Long.BYTES);
        LONG.set(array, at, value);
        return this;
    }

    /** The low bytes of a number. */
    public ByteBuilder putBits(long bits, int widthBytes) {
        switch (widthBytes) {
            case Byte.BYTES -> put((byte) bits);
            case Short.BYTES -> putShort((short) bits);
            case Integer.BYTES -> putInt((int) bits);
            default -> putLong(bits);
        }
        return this;
    }

    /** A base-128 number, as in Protocol Buffers. */
    public ByteBuilder putVarint(long value) {
        byte[] to = reserve(MAX_VARINT_BYTES);
        size = setVarint(to, size, value);
        return this;
    }

    /** Writes a base-128 number to an array, up to {@link #MAX_VARINT_BYTES} bytes, and returns the index after it. */
    public static int setVarint(byte[] to, int at, long value) {
        if (value >>> 16 == 0) {
            int encoded = Varints.ENCODED[(int) value];
            INT.set(to, at, encoded);
            return at + (encoded >>> 24);
        }
        if (value >>> 28 == 0) {
            return setShortVarint(to, at, (int) value);
        }
        int next = at;
        long left = value;
        while ((left & ~0x7FL) != 0) {
            to[next++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        to[next++] = (byte) left;
        return next;
    }

    public ByteBuilder put(byte[] bytes) {
        return put(bytes, 0, bytes.length);
    }

    public ByteBuilder put(byte[] bytes, int offset, int length) {
        int at = grow(length);
        System.arraycopy(bytes, offset, array, at, length);
        return this;
    }

    @SuppressWarnings("deprecation") // the only method of String that copies ASCII without another array
    public ByteBuilder putAscii(String text) {
        int at = grow(text.length());
        text.getBytes(0, text.length(), array, at);
        return this;
    }

    /** Appends this many zeros. */
    public ByteBuilder putZeros(int count) {
        int at = grow(count);
        Arrays.fill(array, at, size, (byte) 0);
        return this;
    }

    /** Replaces four bytes. */
    public void setInt(int at, int value) {
        INT.set(array, at, value);
    }

    public void setLong(int at, long value) {
        LONG.set(array, at, value);
    }

    public int getInt(int at) {
        return getInt(array, at);
    }

    /** The numbers below 2¹⁶, of which most token ids are: up to three bytes, and in the highest byte how many. */
    private static final class Varints {
        static final int[] ENCODED = new int[1 << 16];

        static {
            byte[] bytes = new byte[Integer.BYTES];
            for (int value = 0; value < ENCODED.length; value++) {
                int length = setShortVarint(bytes, 0, value);
                ENCODED[value] = getInt(bytes, 0) | length << 24;
            }
        }
    }

    /** At most 4 bytes, without a branch: how many there are is random in tokens. */
    private static int setShortVarint(byte[] to, int at, int value) {
        int spread = (value & 0x7F) | ((value & 0x3F80) << 1) | ((value & 0x1FC000) << 2) | ((value << 3) & 0x7F000000);
        int more = (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(value | 1)) / 7;
        // The highest bit of each byte but the last.
        INT.set(to, at, spread | (0x808080 & ((1 << (Byte.SIZE * more)) - 1)));
        return at + more + 1;
    }

    /** Writes four bytes to an array and returns the index after them. */
    public static int setInt(byte[] to, int at, int value) {
        INT.set(to, at, value);
        return at + Integer.BYTES;
    }

    public static short getShort(byte[] array, int at) {
        return (short) SHORT.get(array, at);
    }

    public static int getInt(byte[] array, int at) {
        return (int) INT.get(array, at);
    }

    public static long getLong(byte[] array, int at) {
        return (long) LONG.get(array, at);
    }

    /** Removes the first {@code count} bytes. */
    public void removeBefore(int count) {
        System.arraycopy(array, count, array, 0, size - count);
        size -= count;
    }

    /** Makes room for this many bytes after the size, which does not change, and returns the array. */
    public byte[] reserve(int length) {
        size = grow(length);
        return array;
    }

    /** Ends at bytes that were written to the {@linkplain #reserve reserved} room. */
    public void endAt(int end) {
        size = end;
    }

    /** Returns the index of the first of {@code length} new bytes. */
    private int grow(int length) {
        int at = size;
        long wanted = (long) size + length;
        if (wanted > array.length) {
            if (wanted > MAX_BYTES) {
                throw new ConfigException("a row, or an index of rows, has " + wanted
                        + " bytes in this format, more than 2 GiB; write fewer columns, or shorter rows");
            }
            array = Arrays.copyOf(array, (int) Math.min(MAX_BYTES, Math.max(wanted, 2L * array.length)));
        }
        size = (int) wanted;
        return at;
    }
}
