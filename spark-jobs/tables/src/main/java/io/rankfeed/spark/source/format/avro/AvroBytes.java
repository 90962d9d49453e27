package io.rankfeed.spark.source.format.avro;

import io.rankfeed.spark.source.format.BadValue;
import io.rankfeed.spark.source.format.Utf8;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Values in Avro's binary encoding. Each read is checked against the end: nothing is allocated that is not there. */
final class AvroBytes {
    private static final int VARINT_BITS = 7;

    private final byte[] bytes;
    private int at;

    AvroBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    int position() {
        return at;
    }

    int remaining() {
        return bytes.length - at;
    }

    byte read() {
        return bytes[advance(1)];
    }

    long readLong() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += VARINT_BITS) {
            byte next = read();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw BadValue.damaged("a number has more than 10 bytes");
    }

    int readInt() {
        long value = readLong();
        if (value != (int) value) {
            throw BadValue.damaged(value + " is not a number of 32 bits");
        }
        return (int) value;
    }

    boolean readBoolean() {
        byte value = read();
        if (value != 0 && value != 1) {
            throw BadValue.damaged(value + " is not a boolean");
        }
        return value == 1;
    }

    float readFloat() {
        return little(advance(Float.BYTES)).getFloat();
    }

    double readDouble() {
        return little(advance(Double.BYTES)).getDouble();
    }

    private ByteBuffer little(int from) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(from);
    }

    byte[] readFixed(int length) {
        int from = advance(length);
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    byte[] readBytes() {
        return readFixed(readLength());
    }

    String readString() {
        int length = readLength();
        return Utf8.text(bytes, advance(length), length);
    }

    private int readLength() {
        long length = readLong();
        if (length < 0 || length > remaining()) {
            throw BadValue.damaged("a value of " + length + " bytes, " + remaining() + " are left");
        }
        return (int) length;
    }

    /** The number of items of the next block of an array or map; 0 at its end. */
    long readCount() {
        long count = readLong();
        if (count < 0) {
            // The bytes of the block follow, for readers that skip it.
            readLong();
            count = -count;
        }
        if (count < 0) {
            throw BadValue.damaged(count + " items");
        }
        return count;
    }

    private int advance(int length) {
        if (length > remaining()) {
            throw BadValue.damaged("a value of " + length + " bytes, " + remaining() + " are left");
        }
        int from = at;
        at += length;
        return from;
    }
}
