package io.rankfeed.export.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.column.values.bitpacking.BytePacker;
import org.apache.parquet.column.values.bitpacking.Packer;

/**
 * Numbers in runs, Parquet's encoding {@code RLE} without the length before it. Parquet's decoder gives numbers of its own
 * behind the end of the runs, Spark's never ends; this one refuses them.
 */
final class Runs {
    static final int MAX_WIDTH = Integer.SIZE;

    private static final int GROUP = 8;

    private final ByteBuffer bytes;
    private final int width;
    private final BytePacker packer;
    private int left;
    private boolean isPacked;
    private int repeated;
    /** Eight numbers of a packed run, of which those from {@link #at} on come next. */
    private final int[] group = new int[GROUP];

    private int at = GROUP;

    /** @param width of a number in bits, at most {@link #MAX_WIDTH}; numbers of 0 bits are 0 and have no runs */
    Runs(ByteBuffer bytes, int width) {
        this.bytes = bytes;
        this.width = width;
        this.packer = Packer.LITTLE_ENDIAN.newBytePacker(width);
    }

    /**
     * Returns how many of the next numbers are known to be equal, at least 1.
     *
     * @throws IllegalArgumentException if a run is empty or longer than the bytes
     * @throws java.nio.BufferUnderflowException if there are no more runs
     */
    int alike() {
        if (width == 0) {
            return Integer.MAX_VALUE;
        }
        if (left == 0) {
            readHeader();
        }
        return isPacked ? 1 : left;
    }

    /**
     * Returns the next numbers; one of 32 bits may be negative.
     *
     * @param count how many of them, at most {@link #alike}, which was asked before
     */
    int next(int count) {
        if (width == 0) {
            return 0;
        }
        left -= count;
        if (!isPacked) {
            return repeated;
        }
        if (at == GROUP) {
            packer.unpack8Values(bytes, bytes.position(), group, 0);
            bytes.position(bytes.position() + width);
            at = 0;
        }
        return group[at++];
    }

    /** Returns the largest of the next numbers, unsigned; fails as {@link #alike} does. */
    int max(int count) {
        int max = 0;
        int alike;
        for (int i = 0; i < count; i += alike) {
            alike = Math.min(count - i, alike());
            int number = next(alike);
            if (Integer.compareUnsigned(number, max) > 0) {
                max = number;
            }
        }
        return max;
    }

    private void readHeader() {
        long header = varint();
        long count = header >>> 1;
        isPacked = (header & 1) == 1;
        if (isPacked) {
            if (count * width > bytes.remaining()) {
                throw new IllegalArgumentException("a packed run is cut off");
            }
            count *= GROUP;
        } else {
            byte[] value = new byte[Integer.BYTES];
            bytes.get(value, 0, (width + Byte.SIZE - 1) / Byte.SIZE);
            repeated = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getInt();
        }
        if (count == 0) {
            throw new IllegalArgumentException("an empty run");
        }
        left = (int) Math.min(count, Integer.MAX_VALUE);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 7) {
            byte next = bytes.get();
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a length of more than five bytes");
    }
}
