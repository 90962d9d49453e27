package io.rankfeed.export.format.store;

import io.rankfeed.export.format.ByteBuilder;
import java.nio.charset.StandardCharsets;

/** Appends values as MessagePack, each in its shortest form. */
final class MessagePack {
    private static final int FLOAT32 = 0xca;
    private static final int FLOAT64 = 0xcb;
    private static final int UINT8 = 0xcc;
    private static final int INT8 = 0xd0;
    private static final int STR8 = 0xd9;
    private static final int BIN8 = 0xc4;
    private static final int ARRAY16 = 0xdc;
    private static final int MAP16 = 0xde;

    private final ByteBuilder out;

    MessagePack(ByteBuilder out) {
        this.out = out;
    }

    void nil() {
        code(0xc0);
    }

    void bool(boolean value) {
        code(value ? 0xc3 : 0xc2);
    }

    void int64(long value) {
        if (value >= 0) {
            uint64(value);
        } else if (value >= -32) {
            code((int) value);
        } else {
            int power = value == (byte) value ? 0 : value == (short) value ? 1 : value == (int) value ? 2 : 3;
            code(INT8 + power);
            bigEndian(value, 1 << power);
        }
    }

    /** An unsigned integer. */
    void uint64(long value) {
        if (value >>> 7 == 0) {
            code((int) value);
        } else {
            int power = value >>> 8 == 0 ? 0 : value >>> 16 == 0 ? 1 : value >>> 32 == 0 ? 2 : 3;
            code(UINT8 + power);
            bigEndian(value, 1 << power);
        }
    }

    void float32(int bits) {
        code(FLOAT32);
        bigEndian(bits, Float.BYTES);
    }

    void float64(long bits) {
        code(FLOAT64);
        bigEndian(bits, Double.BYTES);
    }

    void string(byte[] utf8, int offset, int lengthBytes) {
        if (lengthBytes < 32) {
            code(0xa0 | lengthBytes);
        } else {
            length(STR8, lengthBytes);
        }
        out.put(utf8, offset, lengthBytes);
    }

    void string(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        string(utf8, 0, utf8.length);
    }

    void binary(byte[] value, int offset, int lengthBytes) {
        length(BIN8, lengthBytes);
        out.put(value, offset, lengthBytes);
    }

    /** Starts an array of so many values. */
    void array(int items) {
        container(items, 0x90, ARRAY16);
    }

    /** Starts a map of so many pairs of key and value. */
    void map(int pairs) {
        container(pairs, 0x80, MAP16);
    }

    private void container(int count, int small, int wide) {
        if (count < 16) {
            code(small | count);
        } else {
            boolean isShort = count < 1 << Short.SIZE;
            code(isShort ? wide : wide + 1);
            bigEndian(count, isShort ? Short.BYTES : Integer.BYTES);
        }
    }

    /** @param code of a length of one byte; those of two and four follow it */
    private void length(int code, int lengthBytes) {
        int power = lengthBytes < 1 << Byte.SIZE ? 0 : lengthBytes < 1 << Short.SIZE ? 1 : 2;
        code(code + power);
        bigEndian(lengthBytes, 1 << power);
    }

    private void code(int code) {
        out.put((byte) code);
    }

    private void bigEndian(long value, int widthBytes) {
        out.putBits(Long.reverseBytes(value) >>> (Long.SIZE - 8 * widthBytes), widthBytes);
    }
}
