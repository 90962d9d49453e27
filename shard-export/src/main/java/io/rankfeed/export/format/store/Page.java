package io.rankfeed.export.format.store;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A leaf or branch page of LMDB 0.9 that is being filled: a header of 16 bytes, the int16 offsets of its nodes in the order
 * of their keys, free space, and the nodes from the end of the page on.
 */
final class Page {
    static final int BYTES = 4096;
    static final int HEADER_BYTES = 16;
    static final int BRANCH = 0x01;
    static final int LEAF = 0x02;
    static final int OVERFLOW = 0x04;
    static final int META = 0x08;

    /** The flag of a node whose value is on overflow pages. */
    static final int BIG = 0x01;

    private static final int NODE_HEADER_BYTES = 8;
    private static final int POINTER_BYTES = 2;

    /** A page must have room for two nodes: half of it without the header, rounded down to an even number. */
    private static final int MAX_NODE_BYTES = ((BYTES - HEADER_BYTES) / 2 & -2) - POINTER_BYTES;

    private final int flags;
    private final byte[] bytes = new byte[BYTES];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    private int lower = HEADER_BYTES;
    private int upper = BYTES;

    Page(int flags) {
        this.flags = flags;
    }

    /** Whether LMDB has a value of this length on overflow pages. */
    static boolean isBig(int keyBytes, int valueBytes) {
        return (long) NODE_HEADER_BYTES + keyBytes + valueBytes > MAX_NODE_BYTES;
    }

    /** Bytes that a node needs with its pointer. */
    static int nodeBytes(int keyBytes, int dataBytes) {
        return (NODE_HEADER_BYTES + keyBytes + dataBytes + 1 & -2) + POINTER_BYTES;
    }

    boolean isEmpty() {
        return lower == HEADER_BYTES;
    }

    boolean hasRoom(int nodeBytes) {
        return nodeBytes <= upper - lower;
    }

    /** Appends a node with a value, whose bytes the caller puts at the returned offset of {@link #buffer}. */
    int addLeaf(byte[] key, int keyBytes, int valueBytes, boolean big) {
        int at = add(key, keyBytes, big ? Long.BYTES : valueBytes);
        buffer.putInt(at, valueBytes);
        buffer.putShort(at + 4, (short) (big ? BIG : 0));
        return at + NODE_HEADER_BYTES + keyBytes;
    }

    /** Appends a child page. */
    void addBranch(byte[] key, int keyBytes, long page) {
        int at = add(key, keyBytes, 0);
        buffer.putInt(at, (int) page);
        buffer.putShort(at + 4, (short) (page >>> 32));
    }

    private int add(byte[] key, int keyBytes, int dataBytes) {
        // The last byte is zero if it is padding.
        bytes[upper - 1] = 0;
        upper -= NODE_HEADER_BYTES + keyBytes + dataBytes + 1 & -2;
        buffer.putShort(lower, (short) upper);
        lower += POINTER_BYTES;
        buffer.putShort(upper + 6, (short) keyBytes);
        System.arraycopy(key, 0, bytes, upper + NODE_HEADER_BYTES, keyBytes);
        return upper;
    }

    byte[] bytes() {
        return bytes;
    }

    ByteBuffer buffer() {
        return buffer;
    }

    /** Writes the page under this number and empties it. */
    void writeTo(OutputStream out, long number) throws IOException {
        buffer.putLong(0, number);
        buffer.putShort(10, (short) flags);
        buffer.putShort(12, (short) lower);
        buffer.putShort(14, (short) upper);
        Arrays.fill(bytes, lower, upper, (byte) 0);
        out.write(bytes);
        lower = HEADER_BYTES;
        upper = BYTES;
    }
}
