package io.rankfeed.spark.source.format.tfrecord;

import io.rankfeed.spark.source.format.BadValue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The members of a message in the encoding of Protocol Buffers. Each read is checked against the end of the message. */
final class ProtoBytes {
    static final int VARINT = 0;
    static final int BYTES = 2;
    static final int FIXED32 = 5;
    private static final int FIXED64 = 1;
    private static final int TYPE_BITS = 3;
    private static final int VARINT_BITS = 7;

    private final ByteBuffer in;
    private int number;
    private int type;

    ProtoBytes(ByteBuffer in) {
        this.in = in.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    boolean hasRemaining() {
        return in.hasRemaining();
    }

    /** Reads the tag of the next member. Returns false at the end. */
    boolean next() {
        if (!in.hasRemaining()) {
            return false;
        }
        long tag = varint();
        number = (int) (tag >>> TYPE_BITS);
        type = (int) tag & (1 << TYPE_BITS) - 1;
        if (tag >>> Integer.SIZE != 0 || number == 0) {
            throw BadValue.damaged("a member of number " + (tag >>> TYPE_BITS));
        }
        return true;
    }

    /** Whether the member is this one. */
    boolean is(int wanted, int wantedType) {
        return number == wanted && type == wantedType;
    }

    int number() {
        return number;
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += VARINT_BITS) {
            require(1);
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw BadValue.damaged("a number has more than 10 bytes");
    }

    float fixed32() {
        require(Float.BYTES);
        return in.getFloat();
    }

    /** The content of a member that has bytes. */
    ByteBuffer bytes() {
        long length = varint();
        if (length < 0 || length > in.remaining()) {
            throw BadValue.damaged("a member of " + length + " bytes, " + in.remaining() + " are left");
        }
        ByteBuffer content = in.slice(in.position(), (int) length);
        in.position(in.position() + (int) length);
        return content;
    }

    /** Moves behind the member. */
    void skip() {
        switch (type) {
            case VARINT -> varint();
            case BYTES -> bytes();
            case FIXED32 -> fixed32();
            case FIXED64 -> {
                require(Long.BYTES);
                in.position(in.position() + Long.BYTES);
            }
            default -> throw BadValue.damaged("a member of type " + type);
        }
    }

    private void require(int length) {
        if (in.remaining() < length) {
            throw BadValue.damaged("a member ends after the record");
        }
    }
}
