package io.rankfeed.feeder.transform;

import io.rankfeed.schema.image.ImageBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An image file inside a mapped lane. Reused for each file. */
final class SegmentBytes implements ImageBytes {
    private MemorySegment memory = MemorySegment.NULL;
    private long offset;
    private int length;

    void pointTo(MemorySegment newMemory, long newOffset, int newLength) {
        memory = newMemory;
        offset = newOffset;
        length = newLength;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int at(int index) {
        return memory.get(ValueLayout.JAVA_BYTE, offset + index) & 0xFF;
    }
}
