package io.rankfeed.images;

import java.lang.foreign.MemorySegment;

/**
 * An image in a mapped file. Only Java reads it: a lost page is an error in Java, and ends the process in native code.
 */
final class MappedPixels {
    private static final int CHANNELS = 3;

    private MemorySegment memory = MemorySegment.NULL;
    private long offset;
    private long rowBytes;
    private int height;
    private int width;

    void pointTo(MemorySegment newMemory, long newOffset, int newHeight, int newWidth) {
        memory = newMemory;
        offset = newOffset;
        height = newHeight;
        width = newWidth;
        rowBytes = (long) newWidth * CHANNELS;
    }

    void crop(int x, int y, int newWidth, int newHeight) {
        offset += y * rowBytes + (long) x * CHANNELS;
        height = newHeight;
        width = newWidth;
    }

    int height() {
        return height;
    }

    int width() {
        return width;
    }

    /** @param bytes receives the pixels without gaps; has exactly their size */
    void copyTo(MemorySegment bytes) {
        long length = (long) width * CHANNELS;
        if (length == rowBytes) {
            MemorySegment.copy(memory, offset, bytes, 0, height * rowBytes);
            return;
        }
        for (int y = 0; y < height; y++) {
            MemorySegment.copy(memory, offset + y * rowBytes, bytes, y * length, length);
        }
    }
}
