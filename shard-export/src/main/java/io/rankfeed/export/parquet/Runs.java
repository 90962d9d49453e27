package io.rankfeed.export.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Numbers in runs, Parquet's encoding {@code RLE} without the length before it. Parquet's decoder gives numbers of its own
 * behind the end of the runs, Spark's never ends; this one refuses them.
 */
final class Runs {
    static final int MAX_WIDTH = Integer.SIZE;

    private static final int GROUP = 8;

    private final ByteBuffer bytes;
    private final int width;
    private final long mask;
    private int left;
    private boolean isPacked;
    private int repeated;
    /** The bits of a packed run that were read, but belong to the next numbers. */
    private long bits;

    private int bitCount;

    /** @param width of a number in bits, at most {@link #MAX_WIDTH}; numbers of 0 bits are 0 and have no runs */
    Runs(ByteBuffer bytes, int width) {
        this.bytes = bytes;
        this.width = width;
        this.mask = (1L << width) - 1;
    }

    /**
     * Returns the next number; one of 32 bits may be negative.
     *
     * @throws IllegalArgumentException if a run is empty or longer than the bytes
     * @throws java.nio.BufferUnderflowException if there are no more runs
     */
    int next() {
        if (width == 0) {
            return 0;
        }
        if (left == 0) {
            readHeader();
        }
        left--;
        if (!isPacked) {
            return repeated;
        }
        while (bitCount < width) {
            bits |= (long) Byte.toUnsignedInt(bytes.get()) << bitCount;
            bitCount += Byte.SIZE;
        }
        int number = (int) (bits & mask);
        bits >>>= width;
        bitCount -= width;
        return number;
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
