package io.rankfeed.importing.index;

import io.rankfeed.schema.cache.FileBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads small pieces of a file, mostly one after the other, with one read for many of them. Not thread-safe. */
public final class FileWindow {
    /** The longest piece. */
    public static final int MAX_BYTES = 1 << 16;

    private final FileBytes file;
    private final ByteBuffer window =
            ByteBuffer.allocate(MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    private long windowOffset;

    public FileWindow(FileBytes file) {
        this.file = file;
    }

    /**
     * Returns a piece of the file, which is valid until the next one.
     *
     * @param bytes at most {@link #MAX_BYTES}; the file has them all
     */
    public ByteBuffer read(long offset, int bytes) {
        if (offset < windowOffset || offset + bytes > windowOffset + window.limit()) {
            if (offset + bytes > file.lengthBytes()) {
                throw file.damage(
                        offset, "the file was cut while it was read: it has " + file.lengthBytes() + " bytes");
            }
            window.clear().limit((int) Math.min(MAX_BYTES, file.lengthBytes() - offset));
            file.readInto(window, offset);
            window.flip();
            windowOffset = offset;
        }
        return window.slice((int) (offset - windowOffset), bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
