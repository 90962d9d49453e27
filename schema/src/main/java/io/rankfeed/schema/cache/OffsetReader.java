package io.rankfeed.schema.cache;

import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads the int32 offsets of a column one after the other: they start at 0, never decrease and end where their values do. */
final class OffsetReader {
    private static final int CHUNK_BYTES = 1 << 18;

    private final FileBytes bytes;
    private ByteBuffer chunk = ByteBuffer.allocate(0);
    private String column = "";
    private long at;
    private long end;
    private int before;

    OffsetReader(FileBytes bytes) {
        this.bytes = bytes;
    }

    /** @param start of the offsets in the file */
    void begin(String column, long start, long count) {
        this.column = column;
        at = start;
        end = start + 4 * count;
        before = 0;
        int size = (int) Math.min(CHUNK_BYTES, 4 * count);
        if (size > chunk.capacity()) {
            chunk = ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
        }
        chunk.limit(0);
        if (next() != 0) {
            throw damage("the first offset is " + before + ", not 0");
        }
    }

    /** Returns the next offset minus the previous one. @throws CorruptDataException if the offsets decrease */
    int step() {
        int last = before;
        if (next() < last) {
            throw damage("offset " + before + " after " + last);
        }
        return before - last;
    }

    /** @param isPadded whether the count includes padding */
    void requireEnd(long values, boolean isPadded) {
        if (isPadded ? BatchBody.padded(before) != values : before != values) {
            throw damage("the offsets end at " + before + " of " + values);
        }
    }

    /** Damage at the offset that was read last. */
    CorruptDataException damage(String what) {
        return bytes.damage(at - 4, "column '" + column + "': " + what);
    }

    private int next() {
        if (!chunk.hasRemaining()) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
            bytes.readInto(chunk, at);
            chunk.flip();
        }
        at += 4;
        before = chunk.getInt();
        return before;
    }
}
